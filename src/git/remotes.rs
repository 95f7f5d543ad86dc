//! Remotes, and the trust point that follows from them (DESIGN section 8).

use gix::refs::Target;

use super::objects::ObjectsError;
use super::open::Repository;
use crate::model::exchange::{Exchange, There};
use crate::model::repository::{Certainty, LEDGER, TrustRef, ledger_of};

/// The names that default branches usually have.
const USUAL: [&str; 2] = ["main", "master"];

impl Repository {
    /// Finds the tip of the first of REMOTE/HEAD, REMOTE/main, REMOTE/master of the upstream's
    /// remote, else of origin. In a bare repository: the branch that HEAD names.
    ///
    /// REMOTE/HEAD says which branch the remote named as its default; where it is no symbolic
    /// reference to one of the remote's branches, somebody pushed a branch of that name.
    ///
    /// A reference whose commit is not here is an error: a trust point that cannot be read is
    /// not the same as none.
    pub(crate) fn default_base(&self) -> Result<Option<TrustRef>, ObjectsError> {
        if self.gix.workdir().is_none() {
            return self.head_base();
        }
        let mut remotes: Vec<_> = self.upstream_remote().into_iter().collect();
        if !remotes.iter().any(|remote| remote == "origin") {
            remotes.push("origin".to_owned());
        }
        for remote in remotes {
            let below = format!("refs/remotes/{remote}/");
            let found = match self.remote_head(&below)? {
                None => self.usual_base(&below)?,
                head => head,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Finds the default branch that a remote named; none where that is not known.
    fn remote_head(&self, below: &str) -> Result<Option<TrustRef>, ObjectsError> {
        let name = format!("{below}HEAD");
        let is_named = match self.reference(&name)? {
            Some(Target::Symbolic(branch)) => branch.as_bstr().starts_with(below.as_bytes()),
            Some(Target::Object(_)) | None => false,
        };
        if is_named {
            self.trust_ref(&name)
        } else {
            Ok(None)
        }
    }

    /// Finds the branch with a usual name below a prefix.
    fn usual_base(&self, below: &str) -> Result<Option<TrustRef>, ObjectsError> {
        let [main, master] = USUAL.map(|branch| self.trust_ref(&format!("{below}{branch}")));
        Ok(match (main?, master?) {
            (Some(main), Some(master)) => Some(TrustRef {
                certainty: torn(&main, &master).unwrap_or(Certainty::Usual),
                ..main
            }),
            (found, None) | (None, found) => found.map(|found| TrustRef {
                certainty: Certainty::Usual,
                ..found
            }),
        })
    }

    /// Says whether a remote is configured.
    pub(crate) fn has_remote(&self) -> bool {
        !self.gix.remote_names().is_empty()
    }

    /// Says how the evidence here stands to that of the remote it goes to: the one that is configured,
    /// else the one that had a ledger, else that of the branch, else the only one.
    pub(crate) fn exchange(&self) -> Option<Exchange> {
        // A bare repository is a remote itself, or a mirror of one.
        if self.is_bare() {
            return None;
        }
        let configured = self.settings();
        let all: Vec<&str> = configured
            .remotes
            .iter()
            .map(|remote| remote.name.as_str())
            .collect();
        let named = configured.remote.value().map(|each| each.value.clone());
        let mut with_ledger = all.iter().filter(|name| self.ledger_at(name).is_some());
        let one = match (with_ledger.next(), with_ledger.next()) {
            (Some(one), None) => Some((*one).to_owned()),
            (Some(_), Some(_)) | (None, _) => None,
        };
        let only = match all.as_slice() {
            [one] => Some((*one).to_owned()),
            _ => None,
        };
        let remote = named
            .or(one)
            .or_else(|| self.upstream_remote())
            .or(only)
            .filter(|remote| all.contains(&remote.as_str()))?;
        let there = self.ledger_there(&remote)?;
        Some(Exchange { remote, there })
    }

    /// Says what a remote had of the ledger here when it was asked last; none where there is none here.
    fn ledger_there(&self, remote: &str) -> Option<There> {
        let own = self.follow(LEDGER).ok()??;
        let Some(seen) = self.follow(&ledger_of(remote)).ok()? else {
            return Some(There::Nothing);
        };
        let has_all = own == seen || self.merge_base(&own, &seen).ok()? == Some(own);
        Some(if has_all { There::All } else { There::Less })
    }

    /// Returns the full name of the branch that HEAD names; none where it is detached.
    pub(crate) fn branch(&self) -> Result<Option<String>, ObjectsError> {
        Ok(match self.reference("HEAD")? {
            Some(Target::Symbolic(branch)) => Some(branch.as_bstr().to_string()),
            Some(Target::Object(_)) | None => None,
        })
    }

    /// Returns the remote of the upstream of the branch checked out.
    pub(crate) fn upstream_remote(&self) -> Option<String> {
        let branch = self.gix.head_name().ok()??;
        let branch = branch.shorten().to_string();
        let remote = self
            .gix
            .config_snapshot()
            .string(&format!("branch.{branch}.remote"))?
            .to_string();
        (remote != ".").then_some(remote)
    }

    /// Returns the branch that HEAD names as a trust point; none before its first commit.
    ///
    /// A server whose HEAD was never set names the usual branch that it does not have, until somebody
    /// pushes it: so the other usual one makes it uncertain.
    fn head_base(&self) -> Result<Option<TrustRef>, ObjectsError> {
        let name = self.branch()?.unwrap_or_else(|| "HEAD".to_owned());
        let Some(found) = self.trust_ref(&name)? else {
            return Ok(None);
        };
        let [main, master] = USUAL.map(|branch| format!("refs/heads/{branch}"));
        let other = match name {
            name if name == main => self.trust_ref(&master)?,
            name if name == master => self.trust_ref(&main)?,
            _ => None,
        };
        let torn = other.and_then(|other| torn(&found, &other));
        Ok(Some(TrustRef {
            certainty: torn.unwrap_or(Certainty::Named),
            ..found
        }))
    }

    /// Follows a reference to its commit; none if it, or what it names, does not exist.
    fn trust_ref(&self, name: &str) -> Result<Option<TrustRef>, ObjectsError> {
        let Some(id) = self.follow(name)? else {
            return Ok(None);
        };
        let commit = self.peel(&id)?.ok_or(ObjectsError::Missing { id })?;
        Ok(Some(TrustRef {
            name: name.to_owned(),
            commit: commit.id,
            is_parent: false,
            certainty: Certainty::Named,
        }))
    }
}

/// Says that two branches are two trust points; none where they are one commit.
fn torn(one: &TrustRef, other: &TrustRef) -> Option<Certainty> {
    (one.commit != other.commit).then_some(Certainty::Torn)
}

#[cfg(test)]
mod tests {
    use crate::git::testing::World;
    use crate::model::repository::Certainty;

    fn base(world: &World) -> Option<String> {
        world
            .repository()
            .default_base()
            .unwrap()
            .map(|found| found.name)
    }

    #[test]
    fn the_base_is_head_then_main_then_master_of_a_remote() {
        let world = World::new();
        assert_eq!(base(&world), None);
        assert!(!world.repository().has_remote());
        world.git(&["remote", "add", "origin", "nowhere"]);
        assert!(world.repository().has_remote());

        world.git(&["update-ref", "refs/remotes/origin/master", "HEAD"]);
        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/master");
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/main");
        let head = ["symbolic-ref", "refs/remotes/origin/HEAD"];
        world.git(&[head[0], head[1], "refs/remotes/origin/gone"]);
        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/main");
        world.git(&[head[0], head[1], "refs/remotes/origin/master"]);
        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/HEAD");
    }

    fn certainty(world: &World, dir: &str) -> Option<Certainty> {
        let found = world.open(dir).default_base().unwrap();
        found.map(|found| found.certainty)
    }

    #[test]
    fn a_pushed_branch_called_head_is_not_what_the_remote_named() {
        let world = World::new();
        world.git(&["update-ref", "refs/remotes/origin/HEAD", "HEAD"]);
        assert_eq!(base(&world), None);
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);

        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/main");
        let head = "refs/remotes/origin/HEAD";
        world.git(&["symbolic-ref", head, "refs/heads/main"]);
        assert_eq!(base(&world).unwrap(), "refs/remotes/origin/main");
        assert_eq!(certainty(&world, "repo"), Some(Certainty::Usual));
        world.git(&["symbolic-ref", head, "refs/remotes/origin/main"]);
        assert_eq!(certainty(&world, "repo"), Some(Certainty::Named));
    }

    #[test]
    fn two_branches_with_usual_names_are_no_answer() {
        let world = World::new();
        let first = world.git(&["rev-parse", "HEAD"]);
        world.commit("two");
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        world.git(&["update-ref", "refs/remotes/origin/master", first.trim()]);
        world.git(&["branch", "master", first.trim()]);
        let bare = world.path("bare");
        world.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);

        assert_eq!(certainty(&world, "repo"), Some(Certainty::Torn));
        assert_eq!(certainty(&world, "bare"), Some(Certainty::Torn));
        world.git(&["update-ref", "refs/remotes/origin/master", "HEAD"]);
        assert_eq!(certainty(&world, "repo"), Some(Certainty::Usual));
        world.git(&["-C", bare.to_str().unwrap(), "branch", "-D", "master"]);
        assert_eq!(certainty(&world, "bare"), Some(Certainty::Named));
    }

    #[test]
    fn the_remote_of_the_upstream_comes_before_origin() {
        let world = World::new();
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        world.git(&["update-ref", "refs/remotes/team/main", "HEAD"]);
        world.git(&["config", "branch.main.remote", "team"]);

        assert_eq!(world.repository().upstream_remote().unwrap(), "team");
        assert_eq!(base(&world).unwrap(), "refs/remotes/team/main");
    }

    #[test]
    fn the_branch_is_none_where_head_is_detached() {
        let world = World::new();
        let branch = || world.repository().branch().unwrap();
        assert_eq!(branch().unwrap(), "refs/heads/main");

        world.git(&["checkout", "-q", "--detach"]);

        assert_eq!(branch(), None);
    }

    #[test]
    fn a_tag_that_looks_like_the_base_is_not_it() {
        let world = World::new();
        world.git(&["update-ref", "refs/tags/refs/remotes/origin/main", "HEAD"]);
        world.git(&["update-ref", "refs/heads/refs/remotes/origin/main", "HEAD"]);

        assert_eq!(base(&world), None);
    }

    #[test]
    fn a_base_whose_commit_is_not_here_is_an_error() {
        let world = World::new();
        let path = world.path("repo/.git/refs/remotes/origin");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("main"), format!("{}\n", "1".repeat(40))).unwrap();

        assert!(world.repository().default_base().is_err());
    }

    #[test]
    fn the_base_of_a_bare_repository_is_its_branch() {
        let world = World::new();
        let bare = world.path("bare");
        world.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);

        let found = world.open("bare").default_base().unwrap().unwrap();

        assert_eq!(found.name, "refs/heads/main");
    }

    #[test]
    fn a_reference_loop_ends() {
        let world = World::new();
        let path = world.path("repo/.git/refs/remotes/origin");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("HEAD"), "ref: refs/remotes/origin/HEAD\n").unwrap();

        assert!(world.repository().default_base().is_err());
    }
}
