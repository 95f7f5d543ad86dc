//! Pinned files of a `seal`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::files::File;
use crate::model::ids::Oid;
use crate::model::pins::{Pin, Pins};
use crate::wire::path::TreePath;
use crate::wire::text::Text;

/// The modes that a tree has for what is no directory.
const MODES: [u32; 4] = [0o100_644, 0o100_755, 0o120_000, 0o160_000];

/// One file as it was sealed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    fork: bool,
    id: Text<Oid>,
    mode: String,
    path: Text<TreePath>,
}

/// Makes the list, by path.
pub(super) fn members(pins: &Pins) -> Vec<Members> {
    let one = |(path, pin): (&Vec<u8>, &Pin)| Members {
        fork: pin.at_fork,
        id: Text(pin.file.id),
        mode: format!("{:06o}", pin.file.mode),
        path: Text(TreePath(path.clone())),
    };
    pins.iter().map(one).collect()
}

/// Reads a mode as git writes it.
pub(super) fn mode(text: &str) -> Result<u32, NotABody> {
    let mut known = MODES.into_iter();
    known
        .find(|known| format!("{known:06o}") == text)
        .ok_or(NotABody)
}

/// Reads the list; each path is there once, in the order of their bytes.
pub(super) fn pins(list: Vec<Members>) -> Result<Pins, NotABody> {
    let mut pins = Pins::new();
    for Members {
        fork,
        id,
        mode,
        path,
    } in list
    {
        let pin = Pin {
            file: File {
                mode: self::mode(&mode)?,
                id: id.0,
            },
            at_fork: fork,
        };
        let is_next = pins
            .last_key_value()
            .is_none_or(|(last, _)| *last < path.0.0);
        if !is_next {
            return Err(NotABody);
        }
        pins.insert(path.0.0, pin);
    }
    Ok(pins)
}
