//! Revisions: the commit that git means by a name, found without believing anything that git does
//! not believe.
//!
//! gix believes what `packed-refs` says about the target of a tag, and commits whose bytes are not
//! those of their id. So it is asked for abbreviated ids and upstreams alone; references and
//! parents are followed here.

use std::collections::BTreeSet;

use gix::refs::FullName;
use gix::remote::Direction;

use super::controls::{self, Obstacle};
use super::ids::from_gix;
use super::objects::ObjectsError;
use super::open::Repository;
use super::{plain, references};
use crate::model::ids::Oid;
use crate::model::repository::Commit;
use crate::model::revision::{Several, unproven};

/// Where git looks for a name that is no full one, before and after it.
const PLACES: [(&str, &str); 5] = [
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

impl Repository {
    /// Resolves a revision to the commit it names, peeling tags; none if there is no such one.
    ///
    /// A prefix that several objects share is an error, and so are a tag whose object is not here
    /// and a revision that asks a reflog or searches messages.
    pub(crate) fn resolve(&self, revision: &str) -> Result<Option<Commit>, ObjectsError> {
        demand_certain(revision)?;
        let end = revision.find(['^', '~', ':']).unwrap_or(revision.len());
        let (name, mut way) = revision.split_at(end);
        let Some(start) = self.start(name)? else {
            return Ok(None);
        };
        let mut at = self.peel(&start)?;
        while let Some(commit) = at.as_ref().filter(|_| !way.is_empty()) {
            let Some((step, rest)) = Step::first(way) else {
                return Ok(None);
            };
            at = self.walk(commit, step)?;
            way = rest;
        }
        Ok(at)
    }

    /// Takes one step from a commit; none where it leads to no commit that is here.
    fn walk(&self, from: &Commit, step: Step) -> Result<Option<Commit>, ObjectsError> {
        let (parent, times) = match step {
            Step::Stay => return Ok(Some(from.clone())),
            Step::Parent(number) => (number, 1),
            Step::Back(times) => (0, times),
        };
        let mut at = from.clone();
        for _ in 0..times {
            let Some(id) = at.parents.get(parent) else {
                return Ok(None);
            };
            let Some(commit) = self.commit(id)? else {
                return Ok(None);
            };
            at = commit;
        }
        Ok(Some(at))
    }

    /// Finds the object that the name at the start of a revision means.
    fn start(&self, name: &str) -> Result<Option<Oid>, ObjectsError> {
        let name = if name == "@" { "HEAD" } else { name };
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(id) = Oid::parse(&name.to_ascii_lowercase()) {
            return Ok(Some(id));
        }
        if let Some((branch, what)) = name.split_once("@{") {
            return self.beside(branch, what);
        }
        controls::check_revision(self.git_dir(), self.common_dir(), name)?;
        if let Some(found) = self.follow(name)? {
            return Ok(Some(found));
        }
        if self.reference(name)?.is_none() {
            self.refuse_stray(name)?;
        }
        // A full name that is not here must not be found below another one: `refs/tags/refs/…`.
        if name.starts_with("refs/") {
            return Ok(None);
        }
        self.short(name)
    }

    /// Finds what a name means that is no full one.
    ///
    /// Git takes the first of the places that has it, with a warning. Here it must be certain: a
    /// tag that anybody pushed would stand before the branch of a remote, or before the commit
    /// whose id begins so.
    fn short(&self, name: &str) -> Result<Option<Oid>, ObjectsError> {
        let mut found: Vec<(String, Oid)> = Vec::new();
        for (before, after) in PLACES {
            let full = format!("{before}{name}{after}");
            if let Some(id) = self.follow(&full)? {
                found.push((full, id));
            }
        }
        match self.abbreviated(name) {
            Ok(Some(id)) => found.push((id.to_string(), id)),
            Err(error) if found.is_empty() => return Err(error),
            // A reference stands before a beginning that several objects share.
            Ok(None) | Err(_) => {}
        }
        let Some((_, first)) = found.first().cloned() else {
            return Ok(None);
        };
        self.demand_one(name, &found)?;
        Ok(Some(first))
    }

    /// Refuses a name that stands for several commits; what is no commit is no rival.
    fn demand_one(&self, name: &str, found: &[(String, Oid)]) -> Result<(), ObjectsError> {
        if found.len() < 2 {
            return Ok(());
        }
        let mut commits = BTreeSet::new();
        let mut candidates = Vec::new();
        for (full, id) in found {
            if let Some(commit) = self.peel(id)? {
                commits.insert(commit.id);
                candidates.push(full.clone());
            }
        }
        if commits.len() < 2 {
            return Ok(());
        }
        let name = name.to_owned();
        Err(Several { name, candidates }.into())
    }

    /// Refuses a file beside HEAD that git takes for the reference that is meant, and gix does not.
    fn refuse_stray(&self, name: &str) -> Result<(), ObjectsError> {
        for dir in [self.git_dir(), self.common_dir()] {
            let path = dir.join(name);
            let bytes = plain::read(&path).ok().flatten();
            if bytes.is_some_and(|bytes| references::is_as_git_writes(&bytes)) {
                let why = "stands before every branch and tag of this name";
                return Err(Obstacle { path, why }.into());
            }
        }
        Ok(())
    }

    /// Finds what is beside a branch, or the one checked out: its upstream, or where it is pushed.
    fn beside(&self, branch: &str, what: &str) -> Result<Option<Oid>, ObjectsError> {
        let direction = match what {
            "push}" => Direction::Push,
            _ => Direction::Fetch,
        };
        let branch = match branch {
            "" | "HEAD" | "@" => self.gix.head_name().ok().flatten(),
            other => FullName::try_from(format!("refs/heads/{other}")).ok(),
        };
        let tracking = branch.and_then(|branch| {
            let found = self
                .gix
                .branch_remote_tracking_ref_name(branch.as_ref(), direction)?;
            Some(found.ok()?.as_bstr().to_string())
        });
        tracking.map_or(Ok(None), |name| self.follow(&name))
    }

    /// Finds the object that an abbreviated id means, or what `git describe` wrote of it.
    ///
    /// gix takes every abbreviation for one of SHA-1.
    fn abbreviated(&self, name: &str) -> Result<Option<Oid>, ObjectsError> {
        let failed = |cause| ObjectsError::Revision {
            revision: name.to_owned(),
            cause,
        };
        let short = name.rsplit_once("-g").map_or(name, |(_, short)| short);
        let is_short = short.len() >= 4 && short.bytes().all(|byte| byte.is_ascii_hexdigit());
        let width = self.gix.object_hash().len_in_hex();
        if !is_short || short.len() > width {
            return Ok(None);
        }
        let padded = gix::ObjectId::from_hex(format!("{short:0<width$}").as_bytes());
        let prefix = padded.and_then(|id| gix::hash::Prefix::new(&id, short.len()));
        let Ok(prefix) = prefix else { return Ok(None) };
        match self
            .gix
            .objects
            .lookup_prefix(prefix, None)
            .map_err(failed)?
        {
            None => Ok(None),
            Some(Ok(id)) => Ok(Some(from_gix(&id))),
            Some(Err(())) => Err(ObjectsError::Ambiguous {
                revision: name.to_owned(),
            }),
        }
    }
}

/// Refuses a revision that asks what is nowhere proven.
fn demand_certain(revision: &str) -> Result<(), ObjectsError> {
    unproven(revision).map_or(Ok(()), |what| {
        Err(ObjectsError::Uncertain {
            revision: revision.to_owned(),
            what,
        })
    })
}

/// One step of a revision after its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The same commit.
    Stay,
    /// One of its parents, counted from nought.
    Parent(usize),
    /// So many times the first parent.
    Back(usize),
}

impl Step {
    /// Reads the first step of a way; none where it leads to no commit.
    fn first(way: &str) -> Option<(Self, &str)> {
        for word in ["^{}", "^{commit}", "^{object}"] {
            if let Some(rest) = way.strip_prefix(word) {
                return Some((Self::Stay, rest));
            }
        }
        let after = way.strip_prefix(['^', '~'])?;
        let end = after.find(|letter: char| !letter.is_ascii_digit());
        let (digits, rest) = after.split_at(end.unwrap_or(after.len()));
        let is_next = rest.is_empty() || rest.starts_with(['^', '~']);
        let number = match digits {
            "" => 1,
            digits => digits.parse::<usize>().ok()?,
        };
        let step = match (way.starts_with('~'), number.checked_sub(1)) {
            (true, _) => Self::Back(number),
            (false, Some(parent)) => Self::Parent(parent),
            (false, None) => Self::Stay,
        };
        is_next.then_some((step, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    fn oid(text: &str) -> Oid {
        Oid::parse(text.trim()).unwrap()
    }

    #[test]
    fn revisions_resolve_to_commits_through_tags() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let world = World::with(&[format]);
            let first = world.git(&["rev-parse", "HEAD"]);
            let second = world.commit("two");
            world.git(&["tag", "-a", "-m", "x", "inner", "HEAD"]);
            world.git(&["config", "advice.nestedTag", "false"]);
            world.git(&["tag", "-a", "-m", "x", "outer", "inner"]);
            let repo = world.repository();

            let found = |text: &str| repo.resolve(text).unwrap().map(|found| found.id);
            for text in [
                "HEAD",
                "main",
                "refs/heads/main",
                "outer",
                "@",
                &second,
                second.get(..12).unwrap(),
            ] {
                assert_eq!(found(text), Some(oid(&second)), "{text}");
            }
            let parent = format!("{}~1", second.get(..12).unwrap());
            for text in ["HEAD~1", &parent, "HEAD^", "outer~1", "HEAD~1^{commit}"] {
                assert_eq!(found(text), Some(oid(&first)), "{text}");
            }
            let nothing = "1".repeat(first.trim().len());
            for text in [
                "nothing",
                "HEAD:file",
                "HEAD^{tree}",
                "HEAD~9",
                "",
                "a..b",
                &nothing,
            ] {
                assert_eq!(found(text), None, "{text}");
            }
            let commit = repo.resolve("HEAD").unwrap().unwrap();
            assert_eq!(commit.subject, "two");
            assert_eq!(commit.parents, [oid(&first)]);
            assert_eq!(commit.tree, oid(&world.git(&["rev-parse", "HEAD^{tree}"])));
        }
    }

    #[test]
    fn a_prefix_of_several_objects_is_an_error() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let world = World::with(&[format]);
            let repo = world.repository();
            for n in 0..1500 {
                repo.gix.write_blob(format!("{n}")).unwrap();
            }
            let all = world.git(&[
                "cat-file",
                "--batch-check=%(objectname)",
                "--batch-all-objects",
            ]);
            let starts: Vec<_> = all.lines().map(|id| id.get(..4).unwrap()).collect();
            let twice = starts.windows(2).find(|pair| pair[0] == pair[1]);

            assert!(repo.resolve(twice.unwrap()[0]).is_err());
        }
    }

    #[test]
    fn parents_are_followed_as_git_follows_them() {
        let world = World::new();
        world.git(&["checkout", "-q", "-b", "side"]);
        world.commit("two");
        world.git(&["checkout", "-q", "main"]);
        world.git(&["commit", "-q", "--allow-empty", "-m", "three"]);
        world.git(&["merge", "-q", "--no-ff", "-m", "x", "side"]);
        world.git(&["tag", "-a", "-m", "x", "v1"]);
        let repo = world.repository();
        for revision in [
            "HEAD^2",
            "HEAD^^",
            "HEAD^0",
            "HEAD~0",
            "HEAD~2",
            "HEAD^2~1",
            "v1^{}",
            "v1^{commit}~1",
            "@^2",
            "heads/main",
            "v1-0-gHEAD",
        ] {
            let describe = world.git(&["describe", "--long"]);
            let revision = revision.replace("v1-0-gHEAD", describe.trim());
            let commit = format!("{revision}^{{commit}}");
            let expected = world.git(&["rev-parse", &commit]);

            let found = repo.resolve(&revision).unwrap().map(|found| found.id);

            assert_eq!(found, Some(oid(&expected)), "{revision}");
        }
        for revision in [
            "HEAD^3",
            "HEAD~4",
            "HEAD^x",
            "HEAD^{tree}",
            "HEAD^{x}",
            "v1~1x",
        ] {
            assert_eq!(repo.resolve(revision).unwrap(), None, "{revision}");
        }
    }

    #[test]
    fn the_upstream_is_found_and_no_reflog_is_asked() {
        let world = World::new();
        world.git(&["branch", "side"]);
        world.git(&["remote", "add", "team", "nowhere"]);
        world.git(&["config", "branch.side.remote", "team"]);
        world.git(&["config", "branch.side.merge", "refs/heads/main"]);
        let main = world.commit("two");
        world.git(&["update-ref", "refs/remotes/team/main", "HEAD"]);
        let repo = world.repository();
        for revision in ["side@{u}", "side@{upstream}^0"] {
            let found = repo.resolve(revision).unwrap().map(|found| found.id);

            assert_eq!(found, Some(oid(&main)), "{revision}");
        }
        for revision in ["HEAD@{0}", "side@{u}@{1}", ":/one"] {
            let found = repo.resolve(revision);

            let is_refused = matches!(found, Err(ObjectsError::Uncertain { .. }));
            assert!(is_refused, "{revision}: {found:?}");
        }
    }

    #[test]
    fn what_the_list_says_of_the_target_of_a_reference_is_not_believed() {
        let world = World::new();
        let first = world.git(&["rev-parse", "HEAD"]);
        let second = world.commit("two");
        world.git(&["pack-refs", "--all", "--prune"]);
        let path = world.path("repo/.git/packed-refs");
        let list = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{list}^{first}")).unwrap();
        let repo = world.repository();

        for revision in ["HEAD", "main", "refs/heads/main", "HEAD^0"] {
            let found = repo.resolve(revision).unwrap().map(|found| found.id);

            assert_eq!(found, Some(oid(&second)), "{revision}");
        }
    }

    #[test]
    fn a_name_of_several_commits_is_refused_and_a_full_one_is_not() {
        let world = World::new();
        let first = world.git(&["rev-parse", "HEAD"]);
        let second = world.commit("two");
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let short = second.get(..8).unwrap();
        for name in ["main", "origin/main", short, "HEAD", "@"] {
            let found = |text: &str| world.repository().resolve(text);
            let tag = format!("refs/tags/{name}");
            world.git(&["update-ref", &tag, second.trim()]);
            assert!(found(name).unwrap().is_some(), "{name}");

            world.git(&["update-ref", &tag, first.trim()]);

            let result = found(name);
            if ["HEAD", "@"].contains(&name) {
                assert_eq!(result.unwrap().unwrap().id, oid(&second));
            } else {
                assert!(
                    matches!(result, Err(ObjectsError::Several(_))),
                    "{result:?}"
                );
            }
            assert_eq!(found(&tag).unwrap().unwrap().id, oid(&first));
        }
        let full = "refs/remotes/origin/gone";
        world.git(&["update-ref", &format!("refs/tags/{full}"), first.trim()]);
        assert_eq!(world.repository().resolve(full).unwrap(), None);
        let full = world.repository().resolve("refs/remotes/origin/main");
        assert_eq!(full.unwrap().unwrap().id, oid(&second));
    }

    #[test]
    fn a_branch_without_a_commit_is_none() {
        let world = World::unborn(&[]);

        assert_eq!(world.repository().resolve("HEAD").unwrap(), None);
    }

    #[test]
    fn a_file_that_stands_before_a_branch_is_refused() {
        let world = World::new();
        let git_dir = world.path("repo/.git");
        let id = world.git(&["rev-parse", "HEAD"]);
        world.git(&["branch", "config"]);
        assert!(world.repository().resolve("config").unwrap().is_some());

        std::fs::write(git_dir.join("main"), id).unwrap();

        assert!(world.repository().resolve("main").is_err());
        assert!(world.repository().resolve("HEAD").unwrap().is_some());
    }
}
