//! Remotes, and the trust point that follows from them (DESIGN section 8).

use gix::refs::Target;

use super::objects::ObjectsError;
use super::open::Repository;
use crate::model::repository::TrustRef;

impl Repository {
    /// Finds the tip of the first of REMOTE/HEAD, REMOTE/main, REMOTE/master of the upstream's
    /// remote, else of origin. In a bare repository: the branch that HEAD names.
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
            for branch in ["HEAD", "main", "master"] {
                let found = self.trust_ref(&format!("refs/remotes/{remote}/{branch}"))?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Says whether a remote is configured.
    pub(crate) fn has_remote(&self) -> bool {
        !self.gix.remote_names().is_empty()
    }

    /// Returns the reference under which a remote's ledger was fetched, if it holds commits that the
    /// ledger here lacks. What cannot be told is none: it is only advice.
    pub(crate) fn unmerged_ledger(&self, remote: &str) -> Option<String> {
        let name = format!("refs/plan-audit/remotes/{remote}/notes");
        let fetched = self.follow(&name).ok()??;
        let is_merged = match self.follow("refs/notes/plan-audit").ok()? {
            Some(own) => own == fetched || self.merge_base(&own, &fetched).ok()? == Some(fetched),
            None => false,
        };
        (!is_merged).then_some(name)
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
    fn head_base(&self) -> Result<Option<TrustRef>, ObjectsError> {
        self.trust_ref(self.branch()?.as_deref().unwrap_or("HEAD"))
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
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::git::testing::World;

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
