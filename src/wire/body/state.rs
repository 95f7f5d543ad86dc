//! Members of a state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::ids::{Digest, Oid};
use crate::model::state::{Aside, Control, Flag, Noted, State, Untracked};
use crate::wire::text::Text;

/// The members as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    branch: Option<String>,
    content: Text<Digest>,
    control: ControlMembers,
    flags: BTreeMap<String, NotedMembers>,
    head: Option<Text<Oid>>,
    hidden: NotedMembers,
    index: Text<Digest>,
    tree: Text<Oid>,
    untracked: UntrackedMembers,
}

/// What steers git.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ControlMembers {
    config: Text<Digest>,
    hooks: Text<Digest>,
    info: Text<Digest>,
    replace: Text<Digest>,
}

/// A count and the first paths.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotedMembers {
    count: u64,
    paths: Vec<String>,
}

/// Untracked files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UntrackedMembers {
    count: u64,
    digest: Text<Digest>,
    paths: Vec<String>,
}

impl From<&Noted> for NotedMembers {
    fn from(noted: &Noted) -> Self {
        Self {
            count: noted.count,
            paths: noted.paths.clone(),
        }
    }
}

impl From<NotedMembers> for Noted {
    fn from(members: NotedMembers) -> Self {
        Self {
            count: members.count,
            paths: members.paths,
        }
    }
}

impl From<&State> for Members {
    fn from(state: &State) -> Self {
        let flags = state.flags.iter();
        Self {
            branch: state.branch.clone(),
            content: Text(state.content),
            control: ControlMembers {
                config: Text(state.control.config),
                hooks: Text(state.control.hooks),
                info: Text(state.control.info),
                replace: Text(state.control.replace),
            },
            flags: flags
                .map(|(flag, noted)| (flag.as_str().to_owned(), noted.into()))
                .collect(),
            head: state.head.map(Text),
            hidden: (&state.hidden).into(),
            index: Text(state.index),
            tree: Text(state.tree),
            untracked: UntrackedMembers {
                count: state.untracked.noted.count,
                digest: Text(state.untracked.digest),
                paths: state.untracked.noted.paths.clone(),
            },
        }
    }
}

impl Members {
    /// Makes the state; a flag that this version does not know is refused.
    pub(super) fn into_state(self) -> Result<State, NotABody> {
        let flags = self.flags.into_iter().map(|(name, noted)| {
            Flag::parse(&name)
                .map(|flag| (flag, noted.into()))
                .ok_or(NotABody)
        });
        let UntrackedMembers {
            count,
            digest,
            paths,
        } = self.untracked;
        Ok(State {
            head: self.head.map(|id| id.0),
            branch: self.branch,
            tree: self.tree.0,
            content: self.content.0,
            index: self.index.0,
            staged_tree: None,
            untracked: Untracked {
                noted: Noted { count, paths },
                digest: digest.0,
            },
            hidden: self.hidden.into(),
            flags: flags.collect::<Result<_, _>>()?,
            control: Control {
                config: self.control.config.0,
                hooks: self.control.hooks.0,
                info: self.control.info.0,
                replace: self.control.replace.0,
            },
            aside: Aside::default(),
        })
    }
}
