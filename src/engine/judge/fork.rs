//! The fork point: where the line of work that is judged left the trust point (DESIGN section 8).

use super::World;
use crate::engine::place::Place;
use crate::engine::ports::Meeting;
use crate::engine::stop::Stop;
use crate::engine::trusting::Trusting;
use crate::model::files::Files;
use crate::model::ids::Oid;

/// The fork point.
#[derive(Debug)]
pub(in crate::engine) enum Fork {
    /// This commit, with its files.
    At(Oid, Place),
    /// There is none.
    Nowhere,
    /// Not to be said here: the history is cut off before it.
    CutOff,
}

impl Fork {
    /// Finds the merge base with the trust point.
    pub(super) fn find(
        world: &World<'_>,
        trusting: &Trusting,
        tip: Option<&Oid>,
    ) -> Result<Self, Stop> {
        let (Some(point), Some(tip)) = (&trusting.point, tip) else {
            return Ok(Self::Nowhere);
        };
        Self::of(world, meeting(world, tip, &point.commit)?)
    }

    /// Finds the fork point that the merge which is under way will have.
    pub(super) fn of_merge(
        world: &World<'_>,
        trusting: &Trusting,
        tip: Option<&Oid>,
    ) -> Result<Self, Stop> {
        let (Some(point), Some(tip)) = (&trusting.point, tip) else {
            return Ok(Self::Nowhere);
        };
        let mut found = meeting(world, tip, &point.commit)?;
        for merged in &world.settings.merging {
            let other = meeting(world, merged, &point.commit)?;
            found = later(world, found, other)?;
        }
        Self::of(world, found)
    }

    /// Takes what was found.
    fn of(world: &World<'_>, meeting: Meeting) -> Result<Self, Stop> {
        let id = match meeting {
            Meeting::At(id) => id,
            Meeting::Nowhere => return Ok(Self::Nowhere),
            Meeting::CutOff => return Ok(Self::CutOff),
        };
        let commit = world.objects.commit(&id);
        let commit = commit.map_err(Stop::broken("read the fork point"))?;
        Ok(commit.map_or(Self::CutOff, |commit| {
            Self::At(id, Place::of_tree(commit.tree))
        }))
    }

    /// Returns the commit; none where there is none or it cannot be said.
    pub(in crate::engine) const fn commit(&self) -> Option<&Oid> {
        match self {
            Self::At(id, _) => Some(id),
            Self::Nowhere | Self::CutOff => None,
        }
    }

    /// Returns the files of the fork point; none where there is none or it cannot be said.
    pub(in crate::engine) fn files(&self, world: &World<'_>) -> Result<Option<&Files>, Stop> {
        match self {
            Self::At(_, place) => place.files(world.objects).map(Some),
            Self::Nowhere | Self::CutOff => Ok(None),
        }
    }
}

/// Finds where two histories meet.
fn meeting(world: &World<'_>, one: &Oid, other: &Oid) -> Result<Meeting, Stop> {
    let meeting = world.objects.merge_base(one, other);
    meeting.map_err(Stop::broken("find the fork point"))
}

/// Returns the later of two fork points. Where neither is an ancestor of the other, the first: that
/// of the line which is checked out.
fn later(world: &World<'_>, one: Meeting, other: Meeting) -> Result<Meeting, Stop> {
    match (one, other) {
        (Meeting::At(first), Meeting::At(second)) => {
            let is_ancestor = meeting(world, &first, &second)? == Meeting::At(first);
            Ok(if is_ancestor { other } else { one })
        }
        (Meeting::Nowhere, _) => Ok(other),
        (Meeting::CutOff, _) | (_, Meeting::Nowhere | Meeting::CutOff) => Ok(one),
    }
}
