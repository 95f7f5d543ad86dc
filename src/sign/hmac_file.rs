//! HMAC key files: outside the workspace, readable by their owner alone, 32 bytes or more.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use super::SignError;
use crate::local::file::{self, Readers};
use crate::local::random;
use crate::model::ids::Digest;
use crate::trust::keyring::LEAST_HMAC;

/// Reads a key: the bytes of the file without white space around them, as plan-auditor takes them.
///
/// Refuses a link, a file that others may read, a file of another user, one in the work tree, and
/// a key that is too short.
pub(crate) fn read(path: &Path, work_dir: Option<&Path>) -> Result<Vec<u8>, SignError> {
    let refuse = |why: &str| Err(refused(path, why));
    let metadata = fs::symlink_metadata(path)
        .map_err(|error| refused(path, &format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return refuse("is no regular file");
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        return refuse("may be read by others: chmod 600 it");
    }
    let owner = metadata.uid();
    if owner != 0 && owner != nix::unistd::geteuid().as_raw() {
        return refuse("belongs to another user");
    }
    if is_inside(path, work_dir) {
        return refuse("lies in the work tree: move it out");
    }
    let bytes = file::read(path)?.unwrap_or_default();
    let key = bytes.trim_ascii();
    if key.starts_with(b"-----BEGIN ") {
        return refuse(
            "is a private key, and no secret to be shared: leave --hmac out to sign with it",
        );
    }
    if key.len() < LEAST_HMAC {
        return refuse("holds fewer than 32 bytes");
    }
    Ok(key.to_vec())
}

/// Makes a key file of 32 random bytes as hex.
pub(crate) fn make(path: &Path) -> Result<(), SignError> {
    let bytes = random::bytes::<32>()?;
    let text = format!("{}\n", Digest::new(bytes));
    Ok(file::write(path, text.as_bytes(), Readers::Owner)?)
}

/// Says whether a file lies in the work tree, links resolved.
fn is_inside(path: &Path, work_dir: Option<&Path>) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    work_dir.is_some_and(|top| real(path).starts_with(real(top)))
}

/// Says why a key file is not used.
fn refused(path: &Path, why: &str) -> SignError {
    SignError::File {
        path: path.display().to_string(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(path: &Path, work_dir: Option<&Path>) -> String {
        read(path, work_dir).unwrap_err().to_string()
    }

    #[test]
    fn a_key_that_was_made_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("keys/hmac");

        make(&path).unwrap();

        assert_eq!(read(&path, None).unwrap().len(), 64);
    }

    #[test]
    fn a_key_that_others_could_have_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("hmac");
        make(&path).unwrap();
        let link = scratch.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();

        assert!(why(&path, Some(scratch.path())).contains("work tree"));
        assert!(why(&link, None).contains("regular file"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(why(&path, None).contains("by others"));
        file::write(
            &path,
            b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
            Readers::Owner,
        )
        .unwrap();
        assert!(why(&path, None).contains("private key"));
        file::write(&path, b"short\n", Readers::Owner).unwrap();
        assert!(why(&path, None).contains("fewer than 32"));
        assert!(why(&scratch.path().join("none"), None).contains("cannot be read"));
    }
}
