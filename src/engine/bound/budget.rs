//! How much reading plan files may take, so that a push of some KiB takes neither hours nor gigabytes.
//!
//! A tree names one blob as often as it likes, blobs are stored compressed, and patterns take long to
//! compile for their length. So what counts is what reading takes, not what was pushed.

/// How many plan files of one tree are read.
pub(super) const MOST_FILES: usize = 1_000;

/// What is left to be taken.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// Plan files.
    files: usize,
    /// Bytes of all of them together.
    bytes: usize,
    /// Bytes of all their patterns together once compiled.
    compiled: usize,
}

impl Budget {
    /// What the plan files of one tree, or of the work tree, may take: some seconds.
    pub(super) const fn of_tree() -> Self {
        Self {
            files: MOST_FILES,
            bytes: 16 << 20,
            compiled: 256 << 20,
        }
    }

    /// What all different plan files of a history may take: half a minute.
    pub(super) const fn of_history() -> Self {
        Self {
            files: 20_000,
            bytes: 128 << 20,
            compiled: 1 << 30,
        }
    }

    /// Lets so many files be read.
    #[cfg(test)]
    pub(super) const fn of_files(files: usize) -> Self {
        Self {
            files,
            ..Self::of_tree()
        }
    }

    /// Takes a file of so many bytes.
    pub(super) fn take_file(&mut self, bytes: usize) -> Result<(), &'static str> {
        take(&mut self.files, 1).ok_or("they are too many")?;
        take(&mut self.bytes, bytes).ok_or("they are too large, all together")
    }

    /// Says whether nothing more can be taken.
    pub(super) const fn is_spent(&self) -> bool {
        self.files == 0 || self.bytes == 0
    }

    /// Takes what compiling patterns took. What is too much has been done; nothing follows it.
    pub(super) fn take_compiled(&mut self, bytes: usize) -> Result<(), &'static str> {
        take(&mut self.compiled, bytes).ok_or("their patterns are too large, all together")
    }
}

/// Takes some of what is left; what is too much leaves nothing.
fn take(left: &mut usize, some: usize) -> Option<()> {
    let rest = left.checked_sub(some);
    *left = rest.unwrap_or(0);
    rest.map(|_| ())
}
