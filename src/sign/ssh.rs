//! SSH keys: found as git finds its signing key, or made outside the workspace.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ssh_key::{HashAlg, PrivateKey, PublicKey, SshSig};

use super::{SignError, keygen};
use crate::local::file::{self, MAX};
use crate::local::places::Environment;
use crate::model::ids::Writer;
use crate::model::text;

/// First and last line of an armoured signature.
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----\n";
const END: &str = "\n-----END SSH SIGNATURE-----\n";

/// An SSH key that ssh-keygen can sign with.
#[derive(Clone, Debug)]
pub(crate) struct SshKey {
    /// Where it is.
    place: Place,
    /// What it is.
    public: PublicKey,
    /// Its name in records.
    writer: Writer,
    /// What ssh-keygen sees: an agent's socket, PATH, HOME.
    environment: Environment,
}

/// Where a key is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// A file, private or public.
    File(PathBuf),
    /// With the agent; the public key stood in the setting itself.
    Agent,
}

impl SshKey {
    /// Takes a value of `user.signingKey` as git does: a path (`~/` is HOME), or a public key
    /// that begins with `key::` or `ssh-`, whose private half an agent holds.
    pub(crate) fn find(setting: &str, environment: &Environment) -> Result<Self, SignError> {
        let literal = setting.strip_prefix("key::");
        let literal = literal.or_else(|| setting.starts_with("ssh-").then_some(setting));
        if let Some(literal) = literal {
            let public = parse_public(setting, literal)?;
            return Self::new(Place::Agent, public, environment);
        }
        let path = expand(setting, environment)?;
        let public = public_of(&path)?;
        Self::new(Place::File(path), public, environment)
    }

    /// Makes an ed25519 key without a passphrase as `directory/name`, which must not be there.
    ///
    /// The directory is made for the owner only, the file is for the owner only. The comment is
    /// `git plan-audit` and `label`.
    pub(crate) fn make(
        directory: &Path,
        name: &str,
        label: &str,
        environment: &Environment,
    ) -> Result<Self, SignError> {
        let path = prepare(directory, name)?;
        let comment = format!("git plan-audit {label}");
        let arguments = ["-q", "-t", "ed25519", "-N", "", "-C", &comment, "-f"];
        let mut arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        arguments.push(path.as_os_str());
        keygen::run(&arguments, b"", environment)?;
        let public = public_of(&path)?;
        Self::new(Place::File(path), public, environment)
    }

    /// Names a key.
    fn new(place: Place, public: PublicKey, environment: &Environment) -> Result<Self, SignError> {
        let fingerprint = public.fingerprint(HashAlg::Sha256);
        let writer = Writer::parse(&format!("ssh:{fingerprint}"));
        let writer = writer.ok_or(SignError::NotAKey {
            place: "the key".to_owned(),
            why: "it has no fingerprint",
        })?;
        Ok(Self {
            place,
            public,
            writer,
            environment: environment.clone(),
        })
    }

    /// Returns the name of the key in records.
    pub(crate) fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Returns the file of the key; none when an agent holds it.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Agent => None,
        }
    }

    /// Returns the public key in OpenSSH form without its comment, as allowed signers hold it.
    pub(crate) fn public(&self) -> Result<String, SignError> {
        let bare = PublicKey::new(self.public.key_data().clone(), "");
        bare.to_openssh().map_err(|_| SignError::NotAKey {
            place: self.writer.to_string(),
            why: "it cannot be written",
        })
    }

    /// Signs a message in a namespace and returns the raw SSHSIG blob.
    ///
    /// What ssh-keygen gives is checked: it is by this key, in this namespace, of this message.
    pub(crate) fn sign(&self, namespace: &str, message: &[u8]) -> Result<Vec<u8>, SignError> {
        let armoured = match &self.place {
            Place::File(path) => self.run(namespace, path, &[], message)?,
            Place::Agent => {
                let file = self.temporary_public()?;
                self.run(namespace, file.path(), &["-U"], message)?
            }
        };
        let is_ours = self.signed(namespace, message, &armoured);
        let blob = dearmour(&armoured).filter(|_| is_ours);
        blob.ok_or_else(|| SignError::NotASignature {
            writer: self.writer.clone(),
        })
    }

    /// Runs ssh-keygen on a key file.
    fn run(
        &self,
        namespace: &str,
        path: &Path,
        options: &[&str],
        message: &[u8],
    ) -> Result<Vec<u8>, SignError> {
        let sign = ["-Y", "sign", "-n", namespace, "-f"];
        let mut arguments: Vec<&OsStr> = sign.iter().map(OsStr::new).collect();
        arguments.push(path.as_os_str());
        arguments.extend(options.iter().map(OsStr::new));
        keygen::run(&arguments, message, &self.environment)
    }

    /// Writes the public key to a file of its own, for ssh-keygen to name it to the agent.
    fn temporary_public(&self) -> Result<tempfile::NamedTempFile, SignError> {
        let public = self.public()?;
        let write = || {
            let mut file = tempfile::NamedTempFile::new()?;
            file.write_all(public.as_bytes())?;
            file.write_all(b"\n")?;
            Ok(file)
        };
        write().map_err(SignError::Run)
    }

    /// Says whether an armoured signature is of a message and by this key.
    fn signed(&self, namespace: &str, message: &[u8], armoured: &[u8]) -> bool {
        let signature = SshSig::from_pem(armoured);
        signature.is_ok_and(|signature| {
            signature.public_key() == self.public.key_data()
                && self.public.verify(namespace, message, &signature).is_ok()
        })
    }
}

/// Returns the path of a key to be made, with its directory made and nothing there yet.
fn prepare(directory: &Path, name: &str) -> Result<PathBuf, SignError> {
    let above = directory.parent().unwrap_or(directory);
    std::fs::create_dir_all(above).map_err(|cause| SignError::File {
        path: above.to_owned(),
        cause,
    })?;
    let last = directory.file_name().unwrap_or_default();
    let directory = file::directory(above, Path::new(last)).map_err(SignError::Keep)?;
    let path = directory.join(name);
    if path.symlink_metadata().is_ok() {
        return Err(SignError::Exists { path });
    }
    Ok(path)
}

/// Expands `~/` at the start of a path.
fn expand(setting: &str, environment: &Environment) -> Result<PathBuf, SignError> {
    let Some(rest) = setting.strip_prefix("~/") else {
        return Ok(PathBuf::from(setting));
    };
    let home = environment.get(&OsString::from("HOME"));
    home.map(|home| Path::new(home).join(rest))
        .ok_or_else(|| SignError::NoHome {
            place: text::shown(setting),
        })
}

/// Reads the public half of a key file, private or public.
///
/// A private key in OpenSSH's own form holds it in the clear, also when it is encrypted; for
/// other forms the file beside it with `.pub` is read.
fn public_of(path: &Path) -> Result<PublicKey, SignError> {
    let text = read(path)?;
    let shown = || text::path(path.as_os_str().as_encoded_bytes());
    if !text.starts_with("-----BEGIN ") {
        return parse_public(&shown(), &text);
    }
    if let Ok(key) = PrivateKey::from_openssh(&text) {
        return Ok(key.public_key().clone());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".pub");
    parse_public(&shown(), &read(Path::new(&beside))?)
}

/// Reads a small text file; a key may be a link.
fn read(path: &Path) -> Result<String, SignError> {
    let unreadable = |cause| SignError::File {
        path: path.to_owned(),
        cause,
    };
    let found = path.metadata().map_err(unreadable)?;
    if !found.is_file() || found.len() > MAX {
        return Err(SignError::NotAKey {
            place: text::path(path.as_os_str().as_encoded_bytes()),
            why: "it is not a small file",
        });
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a public key in OpenSSH form.
fn parse_public(place: &str, line: &str) -> Result<PublicKey, SignError> {
    PublicKey::from_openssh(line.trim()).map_err(|_| SignError::NotAKey {
        place: text::shown(place),
        why: if line.contains("-cert-v01@openssh.com") {
            "certificates are not supported"
        } else {
            "it does not read as one"
        },
    })
}

/// Takes the blob out of its armour; none for any form but the one that ssh-keygen writes.
fn dearmour(armoured: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(armoured).ok()?;
    let base64 = text.strip_prefix(BEGIN)?.strip_suffix(END)?;
    STANDARD.decode(base64.replace('\n', "")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::RecordId;
    use crate::model::record::Proof;
    use crate::sign::Key;
    use crate::wire::proof;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::{Child, Command, Stdio};

    fn environment(home: &Path) -> Environment {
        #[expect(clippy::disallowed_methods, reason = "tests drive the real ssh-keygen")]
        let path = std::env::var_os("PATH").unwrap();
        [("PATH".into(), path), ("HOME".into(), home.into())].into()
    }

    fn command(program: &str, environment: &Environment) -> Command {
        #[expect(clippy::disallowed_methods, reason = "tests drive the real OpenSSH")]
        let mut command = Command::new(program);
        command.env_clear().envs(environment);
        command
    }

    fn make(temp: &Path) -> SshKey {
        SshKey::make(
            &temp.join("config/keys"),
            "a key",
            "6f1c",
            &environment(temp),
        )
        .unwrap()
    }

    #[test]
    fn a_made_key_is_private_and_signs() {
        let temp = tempfile::tempdir().unwrap();
        let key = make(temp.path());
        let path = key.path().unwrap().to_owned();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;

        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        let public = std::fs::read_to_string(path.with_file_name("a key.pub")).unwrap();
        assert!(public.ends_with(" git plan-audit 6f1c\n"), "{public}");
        let again = SshKey::make(
            path.parent().unwrap(),
            "a key",
            "x",
            &environment(temp.path()),
        );
        assert!(matches!(again, Err(SignError::Exists { .. })));
        let Proof::Ssh(blob) = Key::Ssh(key).prove(&RecordId::NONE).unwrap() else {
            panic!("not a signature");
        };
        assert!(blob.starts_with(b"SSHSIG"));
    }

    #[test]
    fn ssh_keygen_verifies_what_was_signed_and_names_the_key_alike() {
        let temp = tempfile::tempdir().unwrap();
        let environment = environment(temp.path());
        let key = make(temp.path());
        let message = proof::message(&RecordId::NONE);
        let blob = key.sign(proof::APPROVE_NAMESPACE, &message).unwrap();
        let base64 = STANDARD.encode(blob);
        let lines: Vec<_> = base64
            .as_bytes()
            .chunks(70)
            .map(String::from_utf8_lossy)
            .collect();
        let armoured = format!("{BEGIN}{}{END}", lines.join("\n"));
        let (signature, file) = (temp.path().join("sig"), temp.path().join("message"));
        std::fs::write(&signature, armoured).unwrap();
        std::fs::write(&file, message).unwrap();

        let checked = command("ssh-keygen", &environment)
            .args([
                "-Y",
                "check-novalidate",
                "-n",
                "git-plan-audit-approve",
                "-s",
            ])
            .arg(signature)
            .stdin(std::fs::File::open(file).unwrap())
            .output()
            .unwrap();

        assert!(checked.status.success(), "{checked:?}");
        let said = String::from_utf8(checked.stdout).unwrap();
        let fingerprint = key.writer().to_string().replace("ssh:", "");
        assert!(said.contains(&fingerprint), "{said}");
    }

    #[test]
    fn every_form_that_git_takes_names_the_same_key() {
        let temp = tempfile::tempdir().unwrap();
        let environment = environment(temp.path());
        let key = make(temp.path());
        let public = key.public().unwrap();
        let path = key.path().unwrap().display().to_string();

        for setting in [
            path.clone(),
            format!("{path}.pub"),
            "~/config/keys/a key".to_owned(),
            "~/config/keys/a key.pub".to_owned(),
            format!("key::{public}"),
            public,
        ] {
            let found = SshKey::find(&setting, &environment).unwrap();

            assert_eq!(found.writer(), key.writer(), "{setting}");
            if found.path().is_some() {
                found.sign(proof::NAMESPACE, b"x").unwrap();
            }
        }
    }

    #[test]
    fn encrypted_and_other_kinds_of_keys_are_named_by_their_public_half() {
        let temp = tempfile::tempdir().unwrap();
        let environment = environment(temp.path());
        for (kind, options) in [
            ("ed25519", &["-N", "secret"][..]),
            ("ecdsa", &["-N", ""][..]),
            ("rsa", &["-N", "", "-b", "2048", "-m", "PEM"][..]),
        ] {
            let path = temp.path().join(kind);
            let mut make = command("ssh-keygen", &environment);
            make.args(["-q", "-t", kind, "-f"]).arg(&path).args(options);
            assert!(make.status().unwrap().success());

            let key = SshKey::find(path.to_str().unwrap(), &environment).unwrap();

            if kind == "ed25519" {
                assert!(key.sign(proof::NAMESPACE, b"x").is_err());
            } else {
                key.sign(proof::NAMESPACE, b"x").unwrap();
            }
        }
    }

    /// An agent that ends with the test.
    struct Agent(Child);

    impl Drop for Agent {
        fn drop(&mut self) {
            self.0.kill().unwrap();
            self.0.wait().unwrap();
        }
    }

    #[test]
    fn an_agent_signs_for_a_literal() {
        let temp = tempfile::tempdir().unwrap();
        let mut environment = environment(temp.path());
        let key = make(temp.path());
        let socket = temp.path().join("agent");
        let mut start = command("ssh-agent", &environment);
        start.arg("-D").arg("-a").arg(&socket).stdout(Stdio::null());
        let _agent = Agent(start.spawn().unwrap());
        environment.insert("SSH_AUTH_SOCK".into(), socket.clone().into());
        let path = key.path().unwrap().to_owned();
        let added = (0..100).any(|_| {
            std::thread::park_timeout(std::time::Duration::from_millis(20));
            let mut add = command("ssh-add", &environment);
            let added = add.arg("-q").arg(&path).stderr(Stdio::null()).status();
            added.unwrap().success()
        });
        assert!(added);
        std::fs::remove_file(path).unwrap();

        let literal = format!("key::{}", key.public().unwrap());
        let found = SshKey::find(&literal, &environment).unwrap();

        found.sign(proof::NAMESPACE, b"x").unwrap();
    }

    #[test]
    fn what_is_no_key_is_refused_by_name() {
        let temp = tempfile::tempdir().unwrap();
        let environment = environment(temp.path());
        std::fs::write(temp.path().join("text"), "hello").unwrap();

        for setting in [
            "~/text",
            "~/none",
            "~/",
            "key::hello",
            "ssh-ed25519 AAAA",
            "",
        ] {
            let error = SshKey::find(setting, &environment).unwrap_err();

            assert!(
                matches!(error, SignError::NotAKey { .. } | SignError::File { .. }),
                "{setting}: {error:?}"
            );
        }
    }

    #[test]
    fn a_public_file_of_another_key_gives_no_proof() {
        let temp = tempfile::tempdir().unwrap();
        let environment = environment(temp.path());
        let one = make(temp.path());
        let other = SshKey::make(&temp.path().join("other"), "key", "x", &environment).unwrap();
        let public = other.path().unwrap().with_extension("pub");
        std::fs::copy(one.path().unwrap().with_file_name("a key.pub"), &public).unwrap();

        let key = SshKey::find(public.to_str().unwrap(), &environment).unwrap();

        assert_eq!(key.writer(), one.writer());
        assert!(key.sign(proof::NAMESPACE, b"x").is_err());
    }

    #[test]
    fn without_openssh_the_error_says_so() {
        let temp = tempfile::tempdir().unwrap();
        let nowhere = [("PATH".into(), temp.path().into())].into();

        let error = SshKey::make(&temp.path().join("keys"), "key", "x", &nowhere).unwrap_err();

        assert!(matches!(error, SignError::NoKeygen), "{error:?}");
    }

    #[test]
    fn only_the_armour_that_ssh_keygen_writes_is_taken_off() {
        let good = format!("{BEGIN}AAAA\nBBBB{END}");
        assert!(dearmour(good.as_bytes()).is_some());

        for bad in [
            good.replace('\n', "\r\n"),
            format!(" {good}"),
            format!("{good}x"),
            good.trim_end().to_owned(),
            good.replace("AAAA", "AA AA"),
            good.replace("BBBB", "BBB"),
        ] {
            assert!(dearmour(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
