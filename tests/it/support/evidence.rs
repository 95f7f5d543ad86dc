//! Evidence in the hands of somebody who has plain git and an editor: lines taken apart, changed,
//! and hung up again.

use sha2::{Digest as _, Sha256};

use super::{Key, World};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// One line of a note.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The object whose note holds it.
    pub(crate) target: String,
    /// The line without its newline.
    pub(crate) text: String,
}

/// A record taken apart: its members by name, each as the bytes that the line holds.
#[derive(Clone, Debug)]
pub(crate) struct Parts(Vec<(String, String)>);

impl Parts {
    /// Takes a line apart at its outermost commas.
    pub(crate) fn of(line: &str) -> Self {
        let inner = line.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
        let members = split(inner).into_iter().map(|member| {
            let (name, value) = member.split_once(':').unwrap();
            (name.trim_matches('"').to_owned(), value.to_owned())
        });
        Self(members.collect())
    }

    /// Names the members in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns the bytes of a member.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(own, _)| own == name);
        &found.unwrap_or_else(|| panic!("no member {name}")).1
    }

    /// Returns the id without its quotes.
    pub(crate) fn id(&self) -> &str {
        self.get("id").trim_matches('"')
    }

    /// Replaces the bytes of a member.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        let found = self.0.iter_mut().find(|(own, _)| own == name);
        found.unwrap_or_else(|| panic!("no member {name}")).1 = value.into();
        self
    }

    /// Computes the id anew, as an honest writer would.
    pub(crate) fn with_true_id(self) -> Self {
        let line = self.line();
        let (bound, _) = line.rsplit_once(",\"id\":\"").unwrap();
        let mut hasher = Sha256::new();
        hasher.update(b"git-plan-audit/record/v1\0");
        hasher.update(bound.as_bytes());
        hasher.update(b"}");
        let id = hex(&hasher.finalize());
        self.with("id", format!("\"{id}\""))
    }

    /// Proves the record with an SSH key.
    pub(crate) fn signed(self, world: &World, key: &Key) -> Self {
        self.signed_for(world, key, "git-plan-audit")
    }

    /// Proves the record with an SSH key, in a namespace.
    pub(crate) fn signed_for(self, world: &World, key: &Key, namespace: &str) -> Self {
        let mut message = b"git-plan-audit/proof/v1\0".to_vec();
        message.extend_from_slice(self.id().as_bytes());
        let signature = key.sign(world, namespace, &message);
        self.with("proof", format!("{{\"sshsig\":\"{signature}\"}}"))
    }

    /// Puts the line together.
    pub(crate) fn line(&self) -> String {
        let members = self
            .0
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// Returns the text of the note of an object.
pub(crate) fn note_of(lines: &[Line], target: &str) -> String {
    let of_target = lines.iter().filter(|line| line.target == target);
    joined(of_target.map(|line| line.text.clone()))
}

/// Ends each line with a newline.
fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// Splits JSON at commas that are in no string and no bracket.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for letter in text.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    parts
}

/// Writes bytes as hex.
fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

impl World {
    /// Reads every line of every note through plain git; blobs that a note keeps are left out.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let listed = self.git(["notes", "--ref=plan-audit", "list"]).stdout;
        let mut lines = Vec::new();
        for (blob, target) in listed.lines().filter_map(|line| line.split_once(' ')) {
            if blob != target {
                let note = self.git(["cat-file", "blob", blob]).stdout;
                lines.extend(note.lines().map(|text| Line {
                    target: target.to_owned(),
                    text: text.to_owned(),
                }));
            }
        }
        lines
    }

    /// Returns the last record of a kind, as the lines of its note are ordered.
    #[track_caller]
    pub(crate) fn record(&self, kind: &str) -> Line {
        let of_kind = format!("\"kind\":\"{kind}\"");
        let found = self
            .lines()
            .into_iter()
            .rfind(|line| line.text.contains(&of_kind));
        found.unwrap_or_else(|| panic!("no record of kind {kind}"))
    }

    /// Makes a ledger of these lines through plain git, without history; kept blobs stay.
    ///
    /// What the tool remembers outside the repository is forgotten, as if it had never seen more.
    pub(crate) fn replace_ledger(&self, lines: &[Line]) {
        let listed = self.git(["notes", "--ref=plan-audit", "list"]).stdout;
        let mut entries: Vec<(String, String)> = listed
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(blob, target)| blob == target)
            .map(|(blob, target)| (blob.to_owned(), target.to_owned()))
            .collect();
        let mut targets: Vec<&str> = lines.iter().map(|line| line.target.as_str()).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            let text = note_of(lines, target);
            entries.push((self.blob(&text), target.to_owned()));
        }
        entries.sort_by(|one, other| one.1.cmp(&other.1));
        let rows = entries
            .iter()
            .map(|(blob, target)| format!("100644 blob {blob}\t{target}"));
        let listing = joined(rows);
        let tree = self.git_with_input(["mktree"], &listing).trimmed();
        let commit = self.git(["commit-tree", "-m", "Notes", &tree]).trimmed();
        self.git(["update-ref", LEDGER, &commit]);
        self.forget();
    }

    /// Adds a line to the note of an object through plain git.
    pub(crate) fn add_line(&self, target: &str, text: &str) {
        let mut lines = self.lines();
        lines.push(Line {
            target: target.to_owned(),
            text: text.to_owned(),
        });
        let note = note_of(&lines, target);
        let blob = self.blob(&note);
        self.hang(&blob, target);
    }

    /// Makes a blob the note of an object through plain git.
    #[track_caller]
    pub(crate) fn hang(&self, blob: &str, target: &str) {
        self.git(["notes", "--ref=plan-audit", "add", "-f", "-C", blob, target]);
    }

    /// Writes a blob through plain git.
    pub(crate) fn blob(&self, text: &str) -> String {
        self.git_with_input(["hash-object", "-w", "--stdin"], text)
            .trimmed()
    }
}

#[test]
fn a_line_is_the_sum_of_its_parts() {
    let line = r#"{"v":1,"body":{"t":"a,\"id\":\"b","l":[1,2]},"id":"x","proof":{"by":"y"}}"#;

    let parts = Parts::of(line);

    assert_eq!(parts.line(), line);
    assert_eq!(parts.names(), ["v", "body", "id", "proof"]);
    assert_eq!(parts.get("body"), r#"{"t":"a,\"id\":\"b","l":[1,2]}"#);
}

#[test]
fn a_ledger_can_be_taken_apart_and_rebuilt_by_plain_git() {
    let world = World::new();
    let head = world.rev("HEAD");
    let kept = world.blob("contract");
    world.hang(&kept, &kept);
    world.add_line(&head, "one");
    world.add_line(&head, "two");

    let lines = world.lines();
    world.replace_ledger(&lines[..1]);

    assert_eq!(note_of(&lines, &head), "one\ntwo\n");
    assert_eq!(note_of(&world.lines(), &head), "one\n");
    assert_eq!(
        world
            .git(["notes", "--ref=plan-audit", "show", &kept])
            .stdout,
        "contract"
    );
}

#[test]
fn a_key_of_a_test_signs_what_ssh_keygen_accepts() {
    let world = World::new();
    let key = Key::make(&world, "test");

    let signature = key.sign(&world, "git-plan-audit", b"x");

    assert!(signature.starts_with("U1NIU0lH"), "{signature}");
    assert!(
        key.public().starts_with("ssh-ed25519 ") && key.writer(&world).starts_with("ssh:SHA256:")
    );
}
