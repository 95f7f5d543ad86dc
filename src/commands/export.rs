//! `export`.

use clap::ValueEnum;

use super::{Desk, plan_argument};
use crate::engine::export;
use crate::engine::stop::Stop;
use crate::model::export::{Document, Form, Summary};
use crate::model::finding::{Finding, export as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome, Word};
use crate::report::export::{document, dsse};

/// Write the judgement of a commit for another tool
///
/// The document says what `verify` says: a FAIL is a FAIL in it, and what could not be said is no success. Statements stand
/// in a DSSE envelope, signed with the key of this clone in the namespace git-plan-audit-export.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit export --as junit > report.xml\n  \
    git plan-audit export topic --as sarif --base origin/main > plan-audit.sarif\n  \
    git plan-audit export --as in-toto > statement.dsse.json\n  \
    git plan-audit export --as vsa --resource git+https://example.org/x@refs/heads/main > vsa.json\n\n\
    Exit codes: 0 the document is written, whatever it says; 2 refused.")]
pub(crate) struct Args {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// What the document is.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Named,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
    /// Write a statement bare, without envelope and signature, for another tool to sign.
    #[arg(long)]
    unsigned: bool,
    /// Of a summary: what was verified, as its consumers name it.
    #[arg(long, value_name = "URI", required_if_eq("form", "vsa"))]
    resource: Option<String>,
    /// Of a summary: who verified, as its consumers name it.
    #[arg(
        long,
        value_name = "URI",
        default_value = "urn:git-plan-audit:verifier"
    )]
    verifier: String,
}

/// A form of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Named {
    /// An in-toto statement v1 with the test-result predicate.
    InToto,
    /// A SLSA verification summary (VSA).
    Vsa,
    /// `JUnit` XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let form = self.form.form();
        let exported = export::exported(
            &desk.world()?,
            &self.revision,
            self.plan.as_ref(),
            desk.now(),
        )?;
        if form.is_statement() {
            export::demand_bound(&exported)?;
        }
        let summary = Summary {
            resource: self.resource.clone().unwrap_or_default(),
            verifier: self.verifier.clone(),
        };
        let is_signed = form.is_statement() && !self.unsigned;
        let written = document(form, &exported, &summary);
        let text = if is_signed {
            signed(desk, &written)?
        } else {
            ended(written)
        };
        let document = Document {
            form,
            text,
            is_signed,
        };
        Ok(Outcome::new(
            Word::Ok,
            Vec::new(),
            Details::Export(Box::new(document)),
        ))
    }
}

/// Puts a statement into a signed envelope.
fn signed(desk: &dyn Desk, payload: &str) -> Result<String, Stop> {
    let signer = desk.recorder()?.signer;
    let signature = signer.sign_export(&dsse::signed_bytes(payload));
    let signature = signature.map_err(Stop::broken("sign a statement"))?;
    let Some(signature) = signature else {
        let message =
            "the key of this clone is an HMAC key: it makes no signature that others could check";
        let hint =
            "--unsigned, and sign with another tool; or git plan-audit init --no-hooks --key FILE";
        return Err(Stop::refuse(
            Finding::new(&rows::UNSIGNED, message).hint(hint),
        ));
    };
    Ok(dsse::envelope(
        payload,
        &signer.writer().to_string(),
        &signature,
    ))
}

/// Ends a document with a newline.
fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

impl Named {
    /// Returns the form.
    const fn form(self) -> Form {
        match self {
            Self::InToto => Form::InToto,
            Self::Vsa => Form::Vsa,
            Self::Junit => Form::Junit,
            Self::Sarif => Form::Sarif,
        }
    }
}
