//! The instances under which this clone has recorded, kept outside the repository: whoever can write
//! to the repository cannot make it forget what it sealed, nor does a new instance.

use std::path::PathBuf;

use super::LocalError;
use super::file::{self, Readers};
use super::instance::place;
use super::places::Places;
use crate::model::ids::InstanceId;

/// Lists them, oldest first. A line that is no instance is left out: it could only name a stranger.
pub(crate) fn read(places: &Places) -> Result<Vec<InstanceId>, LocalError> {
    let bytes = file::read(&path(places)?)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(InstanceId::parse).collect())
}

/// Adds some; those that are known stay where they are.
pub(crate) fn add(
    places: &Places,
    instances: impl IntoIterator<Item = InstanceId>,
) -> Result<(), LocalError> {
    let mut known = read(places)?;
    let before = known.len();
    for instance in instances {
        if !known.contains(&instance) {
            known.push(instance);
        }
    }
    if known.len() == before {
        return Ok(());
    }
    let lines: Vec<String> = known.iter().map(ToString::to_string).collect();
    let text = format!("{}\n", lines.join("\n"));
    file::write(&path(places)?, text.as_bytes(), Readers::Owner)
}

/// Returns where they are.
pub(crate) fn path(places: &Places) -> Result<PathBuf, LocalError> {
    let place = place(&places.common_dir)?;
    Ok(places.clones.join(format!("{place}.instances")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_instance_is_never_forgotten() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        let instance = |digit| InstanceId::new([digit; 16]);
        assert_eq!(read(&places).unwrap(), []);

        add(&places, [instance(2)]).unwrap();
        add(&places, [instance(1), instance(2)]).unwrap();

        assert_eq!(read(&places).unwrap(), [instance(2), instance(1)]);
    }
}
