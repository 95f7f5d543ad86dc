//! Documents for other tools, made of a judgement as it is: a FAIL stays a FAIL in each of them, and
//! what could not be said is never a success.

pub(crate) mod dsse;
mod junit;
mod sarif;
mod statement;

use crate::model::export::{Exported, Form, Summary};

/// Writes a document; of a statement the payload of its envelope. A summary speaks for what its
/// asker names.
pub(crate) fn document(form: Form, exported: &Exported, summary: &Summary) -> String {
    match form {
        Form::InToto => statement::test_result(exported),
        Form::Vsa => statement::verification_summary(exported, summary),
        Form::Junit => junit::document(exported),
        Form::Sarif => sarif::document(exported),
    }
}
