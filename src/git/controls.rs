//! The files of a git directory that gix opens by their path: each must be a file.
//!
//! Whoever can write to `.git` could put a FIFO or an endless device in the place of any of them,
//! and gix would wait or swell. So they are looked at, and never opened, before gix sees them.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::{nested, packed, plain};

/// How large a file may be that holds one line.
const LINE: u64 = 1 << 20;
/// How large an index or the list of packed references may be.
pub(super) const LIST: u64 = 1 << 30;
/// How many names below `refs/` are looked at; with more, git itself is of no use.
const MOST_NAMES: usize = 1_000_000;
/// How many object directories may borrow from each other.
const MOST_ALTERNATES: usize = 64;

/// Files that each git directory has, with the most bytes that they may hold.
const OWN: [(&str, u64); 5] = [
    ("HEAD", LINE),
    ("commondir", LINE),
    ("gitdir", LINE),
    ("config.worktree", plain::LIMIT),
    ("logs/HEAD", u64::MAX),
];

/// Files that work trees share, with the most bytes that they may hold.
const SHARED: [(&str, u64); 7] = [
    ("config", plain::LIMIT),
    ("packed-refs", LIST),
    ("shallow", plain::LIMIT),
    ("info/attributes", plain::LIMIT),
    ("info/exclude", plain::LIMIT),
    ("info/grafts", plain::LIMIT),
    ("logs/refs/notes/plan-audit", u64::MAX),
];

/// Why a link in the place of the ledger's log is refused.
const LEADS_AWAY: &str = "is a link, and git would write where it leads";
/// Why a link in the place of a reference is refused: git takes its text for the name of another
/// one, and gix goes where it leads.
const NO_REF: &str = "is a link, which git may read as a reference of another name";

/// What stands in the place of a file.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} {why}", crate::model::text::path(path.as_os_str().as_bytes()))]
pub(crate) struct Obstacle {
    /// Where.
    pub(super) path: PathBuf,
    /// What is wrong with it, for a person.
    pub(super) why: &'static str,
}

/// Looks at every control file of a git directory.
pub(super) fn check(git_dir: &Path, common_dir: &Path) -> Result<(), Obstacle> {
    for (name, most) in OWN {
        demand(&git_dir.join(name), most)?;
    }
    for (name, most) in SHARED {
        demand(&common_dir.join(name), most)?;
    }
    refuse_link(&common_dir.join("logs/refs/notes/plan-audit"), LEADS_AWAY)?;
    for dir in [git_dir, common_dir] {
        refuse_link(&dir.join("HEAD"), NO_REF)?;
    }
    packed::check(&common_dir.join("packed-refs"))?;
    for name in names(git_dir) {
        if name.as_bytes().starts_with(b"sharedindex.") {
            demand(&git_dir.join(name), LIST)?;
        }
    }
    check_references(&common_dir.join("refs"))?;
    if git_dir != common_dir {
        check_references(&git_dir.join("refs"))?;
    }
    check_objects(&common_dir.join("objects"))
}

/// Finds the repository that git would find from `dir`, and looks at all that finding it opens.
///
/// A directory with a `.git` is never taken for a bare repository itself: its files are those of
/// a work tree, which anybody may have committed.
pub(super) fn find(dir: &Path) -> Result<Option<PathBuf>, Obstacle> {
    for home in dir.ancestors() {
        let dot_git = home.join(".git");
        let is_work_tree = fs::symlink_metadata(&dot_git).is_ok();
        let bare = Some(home).filter(|_| !is_work_tree);
        for candidate in [Some(dot_git.as_path()), bare].into_iter().flatten() {
            check_entrance(candidate)?;
            if let Some(git_dir) = nested::git_dir_of(candidate) {
                return Ok(Some(git_dir));
            }
        }
    }
    Ok(None)
}

/// Looks at what would be opened to tell whether a path is a repository, and which.
pub(super) fn check_entrance(candidate: &Path) -> Result<(), Obstacle> {
    let mut git_dir = candidate.to_owned();
    if !candidate.is_dir() {
        demand(candidate, LINE)?;
        let Some(target) = nested::target(candidate) else {
            return Ok(());
        };
        git_dir = target;
    }
    if fs::symlink_metadata(git_dir.join("HEAD")).is_err() {
        return Ok(());
    }
    for (name, most) in OWN {
        demand(&git_dir.join(name), most)?;
    }
    demand(
        &nested::common_dir_of(&git_dir).join("config"),
        plain::LIMIT,
    )
}

/// Looks at the files beside HEAD that a name at the start of a revision may mean.
pub(super) fn check_revision(
    git_dir: &Path,
    common_dir: &Path,
    name: &str,
) -> Result<(), Obstacle> {
    for dir in [git_dir, common_dir] {
        let path = dir.join(name);
        demand(&path, LINE)?;
        refuse_link(&path, NO_REF)?;
    }
    Ok(())
}

/// Demands that a path is a regular file of at most so many bytes, or nothing. A directory is
/// left to the reader, which does not wait on it.
pub(super) fn demand(path: &Path, most: u64) -> Result<(), Obstacle> {
    match fs::metadata(path) {
        Ok(metadata) => judge(path, &metadata, most),
        Err(_) => Ok(()),
    }
}

/// Judges what a path leads to.
fn judge(path: &Path, metadata: &Metadata, most: u64) -> Result<(), Obstacle> {
    let why = if metadata.is_dir() || (metadata.is_file() && metadata.len() <= most) {
        return Ok(());
    } else if metadata.is_file() {
        "is too large to be what its name says"
    } else {
        "is no regular file"
    };
    Err(Obstacle {
        path: path.to_owned(),
        why,
    })
}

/// Refuses a link, and says why.
fn refuse_link(path: &Path, why: &'static str) -> Result<(), Obstacle> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(Obstacle {
            path: path.to_owned(),
            why,
        }),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Looks at every file below a directory of references. The directory itself may be a link; below
/// it there is none, so that each directory is entered once.
fn check_references(top: &Path) -> Result<(), Obstacle> {
    let mut todo = vec![top.to_owned()];
    let mut count = 0;
    while let Some(dir) = todo.pop() {
        for name in names(&dir) {
            count += 1;
            if count > MOST_NAMES {
                return Err(Obstacle {
                    path: top.to_owned(),
                    why: "holds more than 1000000 names",
                });
            }
            let path = dir.join(name);
            refuse_link(&path, NO_REF)?;
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            judge(&path, &metadata, LINE)?;
            if metadata.is_dir() {
                todo.push(path);
            }
        }
    }
    Ok(())
}

/// Looks at every file of a directory. What the directory says is a file is not asked again.
fn check_flat(dir: &Path) -> Result<(), Obstacle> {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            demand(&entry.path(), u64::MAX)?;
        }
    }
    Ok(())
}

/// Looks at the objects of a directory, and of those that it borrows from: they are read out by the
/// parser of gix, which goes there, and what is not looked at is refused.
///
/// Git takes a path in the list of a borrowed directory from there, and gix from the first one; so
/// both places are looked at.
fn check_objects(top: &Path) -> Result<(), Obstacle> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![top.to_owned()];
    while let Some(objects) = todo.pop() {
        if !seen.insert(objects.clone()) {
            continue;
        }
        let alternates = objects.join("info/alternates");
        let obstacle = |why| Obstacle {
            path: alternates.clone(),
            why,
        };
        if seen.len() > MOST_ALTERNATES {
            return Err(obstacle("borrows from more than 64 directories in all"));
        }
        demand(&alternates, plain::LIMIT)?;
        for name in names(&objects) {
            if name.len() == 2 || name == "info" || name == "pack" {
                check_flat(&objects.join(name))?;
            }
        }
        let listed = plain::read(&alternates).ok().flatten().unwrap_or_default();
        let listed = gix::odb::alternate::parse(&listed).map_err(|_| obstacle("cannot be read"))?;
        for named in listed {
            todo.extend([objects.join(&named), top.join(&named)]);
        }
    }
    Ok(())
}

/// Lists the names of a directory; what cannot be listed has none.
fn names(dir: &Path) -> impl Iterator<Item = std::ffi::OsString> + use<> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name())
}

#[cfg(test)]
mod tests {
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;
    use crate::git::testing::World;

    fn checked(world: &World) -> Result<(), Obstacle> {
        let git_dir = world.path("repo/.git");
        check(&git_dir, &git_dir)
    }

    #[test]
    fn a_fifo_in_the_place_of_a_control_file_is_named() {
        let world = World::new();
        checked(&world).unwrap();
        let own = OWN.iter().chain(&SHARED).map(|(name, _)| *name);
        for name in own.chain([
            "refs/heads/a/b",
            "objects/info/alternates",
            "objects/pack/pack-1.idx",
            "objects/00/1",
            "sharedindex.1",
        ]) {
            let path = world.path("repo/.git").join(name);
            let aside = world.path("aside");
            let was = fs::rename(&path, &aside).is_ok();
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            mkfifo(&path, Mode::S_IRWXU).unwrap();

            assert_eq!(checked(&world).unwrap_err().path, path, "{name}");

            fs::remove_file(&path).unwrap();
            if was {
                fs::rename(&aside, &path).unwrap();
            }
        }
        checked(&world).unwrap();
    }

    #[test]
    fn what_a_revision_names_beside_head_is_looked_at() {
        let world = World::new();
        let git_dir = world.path("repo/.git");
        mkfifo(&git_dir.join("FETCH_HEAD"), Mode::S_IRWXU).unwrap();
        std::os::unix::fs::symlink("refs/heads/main", git_dir.join("MINE")).unwrap();
        for (name, passes) in [
            ("HEAD", true),
            ("FETCH_HEAD", false),
            ("MINE", false),
            ("main", true),
        ] {
            let found = check_revision(&git_dir, &git_dir, name);

            assert_eq!(found.is_ok(), passes, "{name}");
        }
    }

    #[test]
    fn a_file_beyond_any_honest_size_is_named() {
        let world = World::new();
        let path = world.path("repo/.git/HEAD");
        fs::File::create(&path).unwrap().set_len(LINE + 1).unwrap();

        assert_eq!(checked(&world).unwrap_err().path, path);
    }

    #[test]
    fn a_link_in_the_place_of_a_reference_is_named() {
        let world = World::new();
        let git_dir = world.path("repo/.git");
        std::os::unix::fs::symlink("refs/heads", git_dir.join("elsewhere")).unwrap();
        checked(&world).unwrap();
        for (name, to) in [
            ("refs/heads/gone", "refs/heads/main"),
            ("refs/heads/a/b", "refs/heads/main"),
            ("refs/notes", "../elsewhere"),
            ("refs/ring", ".."),
            ("HEAD", "refs/heads/main"),
        ] {
            let path = git_dir.join(name);
            let was = fs::read(&path).ok();
            fs::remove_file(&path).ok();
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(to, &path).unwrap();

            assert_eq!(checked(&world).unwrap_err().path, path, "{name}");

            fs::remove_file(&path).unwrap();
            if let Some(bytes) = was {
                fs::write(&path, bytes).unwrap();
            }
        }
    }

    #[test]
    fn references_may_lie_behind_one_link() {
        let world = World::new();
        let git_dir = world.path("repo/.git");
        fs::rename(git_dir.join("refs"), world.path("refs")).unwrap();
        std::os::unix::fs::symlink(world.path("refs"), git_dir.join("refs")).unwrap();

        checked(&world).unwrap();
    }

    #[test]
    fn the_log_of_the_ledger_is_no_link() {
        let world = World::new();
        let path = world.path("repo/.git/logs/refs/notes");
        fs::create_dir_all(&path).unwrap();
        std::os::unix::fs::symlink(world.path("victim"), path.join("plan-audit")).unwrap();

        assert!(checked(&world).unwrap_err().why.contains("link"));
    }

    #[test]
    fn borrowed_objects_are_looked_at_too() {
        let world = World::new();
        let lent = world.path("lent/pack");
        fs::create_dir_all(&lent).unwrap();
        let pack = lent.join("pack-1.pack");
        let alternates = world.path("repo/.git/objects/info/alternates");
        let named = world.path("lent").display().to_string();
        let lender = world.path("lender/info");
        fs::create_dir_all(&lender).unwrap();
        fs::write(lender.join("alternates"), "../../../lent\n").unwrap();
        for line in [
            format!("{named}\n"),
            named.clone(),
            format!("\"{named}\"\n"),
            format!("\"{}\"\n", named.replace("lent", r"\154ent")),
            format!("# {named}\n\n{named}\n"),
            world.path("lender").display().to_string(),
        ] {
            fs::write(&alternates, &line).unwrap();
            checked(&world).unwrap();
            mkfifo(&pack, Mode::S_IRWXU).unwrap();

            assert!(checked(&world).is_err(), "{line}");

            fs::remove_file(&pack).unwrap();
        }
    }

    #[test]
    fn more_lenders_than_are_looked_at_are_refused() {
        let world = World::new();
        let alternates = world.path("repo/.git/objects/info/alternates");
        let lines = |count| {
            (1..count)
                .map(|n| format!("/none/{n}\n"))
                .collect::<Vec<_>>()
                .concat()
        };
        fs::write(&alternates, lines(MOST_ALTERNATES)).unwrap();
        checked(&world).unwrap();

        fs::write(&alternates, lines(MOST_ALTERNATES + 1)).unwrap();

        assert!(checked(&world).is_err());
    }
}
