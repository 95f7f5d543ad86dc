//! The state of a workspace (DESIGN section 6).
