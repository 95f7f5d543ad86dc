//! Private checkouts behind the engine's port: a private directory, what git writes into it, and a
//! checker that runs there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::session::Session;
use super::surroundings::Surroundings;
use crate::check::{Apart, Audience, Checker, CheckerSpec};
use crate::engine::ports::{
    Cause, Checkout, CheckoutError, Checkouts, Lack, Runner, Staged, StateError, Wanted, Watched,
};
use crate::git::checkout::Checkout as Written;
use crate::git::open::Repository;
use crate::local::private::PrivateDirectory;
use crate::model::state::State;
use crate::proc::Interrupts;

/// Makes checkouts of one repository.
pub(super) struct CheckoutsPort {
    repository: Rc<Repository>,
    /// Where they lie; none without a home.
    folder: Result<PathBuf, String>,
    variables: BTreeMap<OsString, OsString>,
    interrupts: Interrupts,
    audience: Audience,
}

impl CheckoutsPort {
    /// Takes what it needs of a session.
    pub(super) fn of(
        session: &Session,
        surroundings: &Surroundings,
        interrupts: &Interrupts,
        audience: &Audience,
    ) -> Self {
        let places = session.places.as_ref();
        Self {
            repository: Rc::clone(&session.repository),
            folder: places
                .map(|places| places.checkouts.clone())
                .map_err(Clone::clone),
            variables: surroundings.variables.clone(),
            interrupts: interrupts.clone(),
            audience: audience.clone(),
        }
    }

    /// Makes the directory of a checkout.
    fn directory(&self, work_trees: &[PathBuf]) -> Result<PrivateDirectory, CheckoutError> {
        let place = |cause: Cause| CheckoutError::Place { cause };
        let folder = self.folder.as_ref();
        let folder = folder.map_err(|why| place(why.clone().into()))?;
        PrivateDirectory::make(folder, work_trees).map_err(|error| place(error.into()))
    }

    /// Makes what runs checks in a checkout, apart from the user's own files.
    fn checker(&self, top: &Path, work_trees: Vec<PathBuf>) -> Result<Checker, CheckoutError> {
        let ceiling = top.parent().unwrap_or(top).to_owned();
        Checker::new(CheckerSpec {
            top: top.to_owned(),
            apart: Some(Apart {
                work_trees,
                ceiling,
            }),
            other_user: None,
            variables: self.variables.clone(),
            interrupts: self.interrupts.clone(),
            audience: self.audience.clone(),
        })
        .map_err(CheckoutError::broken)
    }
}

impl Checkouts for CheckoutsPort {
    fn staged(&self) -> Result<Staged, CheckoutError> {
        self.repository.staged()
    }

    fn make(&self, wanted: &Wanted) -> Result<Box<dyn Checkout + '_>, CheckoutError> {
        let work_trees = self.repository.work_trees();
        let directory = self.directory(&work_trees)?;
        let interrupts = self.interrupts.clone();
        let stop = move || interrupts.came().is_some();
        let written = self.repository.check_out(wanted, directory.path(), &stop)?;
        let checker = self.checker(directory.path(), work_trees)?;
        Ok(Box::new(CheckoutPort {
            repository: &self.repository,
            written,
            checker,
            directory,
        }))
    }
}

/// One checkout.
struct CheckoutPort<'a> {
    repository: &'a Repository,
    written: Written,
    checker: Checker,
    /// Removed with all that is in it when this is dropped.
    directory: PrivateDirectory,
}

impl Checkout for CheckoutPort<'_> {
    fn before(&self) -> &State {
        self.written.before()
    }

    fn state(&self) -> Result<State, StateError> {
        self.written.state(self.repository)
    }

    fn watched(&self) -> &dyn Watched {
        self.written.watch()
    }

    fn runner(&self) -> &dyn Runner {
        &self.checker
    }

    fn lacks(&self) -> &[Lack] {
        self.written.lacks()
    }

    fn remove(self: Box<Self>) -> Result<(), Cause> {
        Ok(self.directory.remove()?)
    }
}
