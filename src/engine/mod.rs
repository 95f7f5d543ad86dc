//! Decisions and flows of the commands, over ports: nothing here knows git, processes or files.

pub(crate) mod ports;
