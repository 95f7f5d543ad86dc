//! The record line: one line of JSON whose literal bytes are hashed (DESIGN 7.1).
//!
//! A line has one spelling. What is read is written again and must be the same bytes, so a
//! reader that is stricter or laxer than this one cannot see another record in the same line.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::canonical;
use super::digest::{Label, labelled};
use crate::model::ids::{Digest, InstanceId, LedgerId, Oid, RecordId, Writer};
use crate::model::record::{Header, Proof, Record};
use crate::model::time::Timestamp;

/// The longest line that is a record, in bytes (64 KiB); longer ones are noise (D25).
pub(crate) const MAX_LINE: usize = 65_536;

/// The most entries of `prev`: the predecessor and 15 other heads.
pub(crate) const MAX_PREV: usize = 16;

/// What stands between the hashed part and the id.
const ID_MARK: &str = ",\"id\":\"";

/// A record that has its id and waits for its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Draft {
    /// The line before the last `,"id":"`.
    hashed: String,
    /// The id.
    id: RecordId,
}

impl Draft {
    /// Writes the hashed part of a record; `body` is in RFC 8785 form.
    pub(crate) fn new(header: &Header, body: &str) -> Self {
        let hashed = hashed_part(header, body);
        let id = id_of(&hashed);
        Self { hashed, id }
    }

    /// Returns the id that the proof must cover.
    pub(crate) const fn id(&self) -> RecordId {
        self.id
    }

    /// Returns the whole line, without a newline.
    pub(crate) fn line(&self, proof: &Proof) -> String {
        format!(
            "{}{ID_MARK}{}\",\"proof\":{}}}",
            self.hashed,
            self.id,
            proof_text(proof)
        )
    }
}

/// Returns the id of a record whose line has this before its id.
fn id_of(hashed: &str) -> RecordId {
    RecordId::new(labelled(Label::Record, format!("{hashed}}}").as_bytes()))
}

/// Writes the members before the id, in their only order.
fn hashed_part(header: &Header, body: &str) -> String {
    let prev: Vec<String> = header.prev.iter().map(|id| format!("\"{id}\"")).collect();
    format!(
        "{{\"v\":1,\"kind\":\"{}\",\"repo\":\"{}\",\"writer\":\"{}\",\"inst\":\"{}\",\"prev\":[{}],\
         \"time\":\"{}\",\"head\":\"{}\",\"covers\":{},\"body\":{body}",
        header.kind,
        header.ledger,
        header.writer,
        header.instance,
        prev.join(","),
        header.time,
        header.head,
        header.covers,
    )
}

/// Writes a proof.
fn proof_text(proof: &Proof) -> String {
    match proof {
        Proof::Ssh(blob) => format!("{{\"sshsig\":\"{}\"}}", STANDARD.encode(blob)),
        Proof::Hmac { key, mac } => {
            format!("{{\"hmac\":{{\"key\":\"{key}\",\"mac\":\"{mac}\"}}}}")
        }
        Proof::By(id) => format!("{{\"by\":\"{id}\"}}"),
    }
}

/// One line of a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A record of this version.
    Record(Box<Record>),
    /// A record of a version that this tool does not know; its id and proof are as in this one.
    Newer(Newer),
    /// The note goes on in this blob.
    Continues(Oid),
}

/// As much of a record of another version as can be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Newer {
    /// Its version.
    pub(crate) version: u64,
    /// Its id.
    pub(crate) id: RecordId,
    /// Its writer.
    pub(crate) writer: Writer,
    /// Its proof.
    pub(crate) proof: Proof,
}

/// Why a line is no record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Malformed {
    /// It is too long.
    #[error("the line is longer than 64 KiB")]
    TooLong,
    /// It is not UTF-8.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// It has no id where one belongs.
    #[error("the line ends in no id and proof")]
    NoId,
    /// The id is not that of its bytes.
    #[error("the id is not the digest of the line")]
    WrongId,
    /// The proof has none of the three forms.
    #[error("the proof has no known form")]
    NoProof,
    /// Members, values or their spelling are not those of a record.
    #[error("the line is not spelled as a record")]
    NotARecord,
}

/// Returns the id and the proof that a line claims, without checking them; for looking a record up.
pub(crate) fn claimed(line: &[u8]) -> Option<(RecordId, Proof)> {
    let (_, rest) = std::str::from_utf8(line).ok()?.rsplit_once(ID_MARK)?;
    parse_tail(rest).ok()
}

/// Reads one line of a note, without its newline.
pub(crate) fn parse(line: &[u8]) -> Result<Line, Malformed> {
    if line.len() > MAX_LINE {
        return Err(Malformed::TooLong);
    }
    let text = std::str::from_utf8(line).map_err(|_| Malformed::NotUtf8)?;
    if let Some(blob) = continuation(text) {
        return Ok(Line::Continues(blob));
    }
    let (hashed, rest) = text.rsplit_once(ID_MARK).ok_or(Malformed::NoId)?;
    let (id, proof) = parse_tail(rest)?;
    if id_of(hashed) != id {
        return Err(Malformed::WrongId);
    }
    match version(hashed) {
        Some(1) => parse_first(text, hashed, id, proof),
        Some(version) => parse_newer(hashed, version, id, proof),
        None => Err(Malformed::NotARecord),
    }
}

/// Reads `{"continues":"<blob>"}`.
fn continuation(text: &str) -> Option<Oid> {
    Oid::parse(
        text.strip_prefix("{\"continues\":\"")?
            .strip_suffix("\"}")?,
    )
}

/// Reads what follows the mark: the id and the proof.
fn parse_tail(rest: &str) -> Result<(RecordId, Proof), Malformed> {
    let (id, rest) = rest.split_once("\",\"proof\":").ok_or(Malformed::NoId)?;
    let id = RecordId::parse(id).ok_or(Malformed::NoId)?;
    let proof = rest
        .strip_suffix('}')
        .and_then(parse_proof)
        .ok_or(Malformed::NoProof)?;
    if rest.strip_suffix('}') == Some(proof_text(&proof).as_str()) {
        Ok((id, proof))
    } else {
        Err(Malformed::NoProof)
    }
}

/// Reads a proof in one of its three forms.
fn parse_proof(text: &str) -> Option<Proof> {
    if let Some(rest) = text.strip_prefix("{\"sshsig\":\"") {
        return STANDARD
            .decode(rest.strip_suffix("\"}")?)
            .ok()
            .map(Proof::Ssh);
    }
    if let Some(rest) = text.strip_prefix("{\"by\":\"") {
        return RecordId::parse(rest.strip_suffix("\"}")?).map(Proof::By);
    }
    let rest = text.strip_prefix("{\"hmac\":{\"key\":\"")?;
    let (key, mac) = rest.split_once("\",\"mac\":\"")?;
    let mac = Digest::parse(mac.strip_suffix("\"}}")?)?;
    let Writer::Hmac(key) = Writer::parse(&format!("hmac:{key}"))? else {
        return None;
    };
    Some(Proof::Hmac { key, mac })
}

/// Reads the version that opens the line.
fn version(hashed: &str) -> Option<u64> {
    let (digits, _) = hashed.strip_prefix("{\"v\":")?.split_once(',')?;
    let version = digits.parse::<u64>().ok()?;
    (version.to_string() == digits).then_some(version)
}

/// The members before the id, as serde reads them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members<'a> {
    #[serde(rename = "v")]
    _version: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    repo: Cow<'a, str>,
    #[serde(borrow)]
    writer: Cow<'a, str>,
    #[serde(borrow)]
    inst: Cow<'a, str>,
    prev: Vec<String>,
    #[serde(borrow)]
    time: Cow<'a, str>,
    #[serde(borrow)]
    head: Cow<'a, str>,
    covers: u32,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// Reads a line of this version and demands that it is spelled as this module writes it.
fn parse_first(text: &str, hashed: &str, id: RecordId, proof: Proof) -> Result<Line, Malformed> {
    let whole = format!("{hashed}}}");
    let members: Members<'_> = read_json(&whole).ok_or(Malformed::NotARecord)?;
    let header = header_of(&members).ok_or(Malformed::NotARecord)?;
    let body = members.body.get();
    let draft = Draft::new(&header, body);
    if draft.line(&proof) != text || !is_canonical_object(body) {
        return Err(Malformed::NotARecord);
    }
    Ok(Line::Record(Box::new(Record {
        header,
        body: body.to_owned(),
        id,
        proof,
    })))
}

/// Turns the members into a header.
fn header_of(members: &Members<'_>) -> Option<Header> {
    let is_kind = |b: u8| b.is_ascii_lowercase() || b == b'-';
    let kind = &members.kind;
    if kind.is_empty() || kind.len() > 32 || !kind.bytes().all(is_kind) {
        return None;
    }
    let prev: Option<Vec<RecordId>> = members
        .prev
        .iter()
        .map(|text| RecordId::parse(text))
        .collect();
    let prev = prev.filter(|prev| (1..=MAX_PREV).contains(&prev.len()))?;
    Some(Header {
        kind: kind.clone().into_owned(),
        ledger: LedgerId::parse(&members.repo)?,
        writer: Writer::parse(&members.writer)?,
        instance: InstanceId::parse(&members.inst)?,
        prev,
        time: Timestamp::parse(&members.time)?,
        head: Oid::parse(&members.head)?,
        covers: members.covers,
    })
}

/// Says whether a text is a JSON object in RFC 8785 form.
fn is_canonical_object(text: &str) -> bool {
    let Some(value) = read_json::<serde_json::Value>(text) else {
        return false;
    };
    value.is_object() && canonical::write(&value).is_ok_and(|again| again == text)
}

/// Reads the writer of a line of another version; the rest of it is for a newer tool.
fn parse_newer(hashed: &str, version: u64, id: RecordId, proof: Proof) -> Result<Line, Malformed> {
    let value: serde_json::Value =
        read_json(&format!("{hashed}}}")).ok_or(Malformed::NotARecord)?;
    let writer = value
        .get("writer")
        .and_then(serde_json::Value::as_str)
        .and_then(Writer::parse);
    let writer = writer.ok_or(Malformed::NotARecord)?;
    Ok(Line::Newer(Newer {
        version,
        id,
        writer,
        proof,
    }))
}

/// Reads JSON of a line; what serde forgives is caught by writing it again.
#[expect(
    clippy::disallowed_methods,
    reason = "this is wire; the caller compares bytes"
)]
fn read_json<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            kind: "audit".to_owned(),
            ledger: LedgerId::new([1; 32]),
            writer: Writer::Hmac("0123456789abcdef".to_owned()),
            instance: InstanceId::new([2; 16]),
            prev: vec![RecordId::NONE],
            time: Timestamp::parse("2026-11-29T16:40:00Z").unwrap(),
            head: Oid::parse("4b825dc642cb6eb9a060e54bf8d69288fbee4904").unwrap(),
            covers: 0,
        }
    }

    fn proof() -> Proof {
        Proof::Hmac {
            key: "0123456789abcdef".to_owned(),
            mac: Digest::ZERO,
        }
    }

    /// A line with a true id over whatever is put in place of the members.
    fn forged(hashed: &str) -> String {
        format!(
            "{hashed}{ID_MARK}{}\",\"proof\":{}}}",
            id_of(hashed),
            proof_text(&proof())
        )
    }

    #[test]
    fn a_record_comes_back_as_it_was_written() {
        for proof in [
            proof(),
            Proof::Ssh(vec![1, 2, 3]),
            Proof::By(RecordId::NONE),
        ] {
            let draft = Draft::new(&header(), "{\"a\":1}");
            let line = draft.line(&proof);

            let Line::Record(record) = parse(line.as_bytes()).unwrap() else {
                panic!("{line}")
            };

            assert_eq!(record.header, header());
            assert_eq!((record.id, record.body.as_str()), (draft.id(), "{\"a\":1}"));
            assert_eq!(record.proof, proof);
        }
    }

    #[test]
    fn an_id_inside_a_title_is_not_taken_for_the_id() {
        let body = canonical::write(&serde_json::json!({"title": "x\",\"id\":\"y"})).unwrap();
        let line = Draft::new(&header(), &body).line(&proof());

        let Line::Record(record) = parse(line.as_bytes()).unwrap() else {
            panic!("{line}")
        };

        assert_eq!(record.body, body);
    }

    #[test]
    fn every_flipped_byte_is_noticed() {
        let line = Draft::new(&header(), "{\"a\":1}").line(&proof());
        let Line::Record(whole) = parse(line.as_bytes()).unwrap() else {
            panic!("{line}")
        };
        for at in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;

            let parsed = parse(&bytes);

            let same = matches!(&parsed, Ok(Line::Record(r)) if r.id == whole.id
                && r.header == whole.header && r.body == whole.body && r.proof == whole.proof);
            assert!(!same, "byte {at} of {line}");
        }
    }

    #[test]
    fn other_spellings_of_a_record_are_refused() {
        let good = hashed_part(&header(), "{\"a\":1}");
        assert!(parse(forged(&good).as_bytes()).is_ok());
        let respelled = [
            good.replace("\"v\":1,\"kind\":\"audit\"", "\"kind\":\"audit\",\"v\":1"),
            good.replace("\"covers\":0", "\"covers\": 0"),
            good.replace("\"covers\":0", "\"covers\":0,\"covers\":0"),
            good.replace("\"covers\":0", "\"covers\":0,\"extra\":0"),
            good.replace("\"covers\":0", "\"covers\":-0"),
            good.replace("\"covers\":0,", ""),
            good.replace("\"audit\"", "\"\\u0061udit\""),
            good.replace("{\"a\":1}", "{\"a\":1,\"a\":1}"),
            good.replace("{\"a\":1}", "{\"a\": 1}"),
            good.replace("{\"a\":1}", "{\"a\":1.0}"),
            good.replace("{\"a\":1}", "{\"b\":1,\"a\":1}"),
            good.replace("{\"a\":1}", "{\"a\":9007199254740993}"),
            good.replace("{\"a\":1}", "[1]"),
            good.replace("16:40:00Z", "16:40:00+00:00"),
            good.replace("[\"00", "[\"AA"),
            good.replace("\"v\":1", "\"v\":01"),
        ];
        for hashed in respelled {
            assert_ne!(hashed, good);
            assert!(parse(forged(&hashed).as_bytes()).is_err(), "{hashed}");
        }
    }

    #[test]
    fn a_later_version_is_told_from_noise() {
        let hashed = hashed_part(&header(), "{\"a\":1}").replace("\"v\":1", "\"v\":2");

        let Ok(Line::Newer(newer)) = parse(forged(&hashed).as_bytes()) else {
            panic!("{hashed}")
        };

        assert_eq!((newer.version, newer.writer), (2, header().writer));
    }

    #[test]
    fn a_line_may_have_64_kib_and_not_a_byte_more() {
        let empty = Draft::new(&header(), "{\"a\":\"\"}").line(&proof()).len();
        let body = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - empty));

        let most = Draft::new(&header(), &body(MAX_LINE)).line(&proof());
        let more = Draft::new(&header(), &body(MAX_LINE + 1)).line(&proof());

        assert!(parse(most.as_bytes()).is_ok());
        assert_eq!(parse(more.as_bytes()), Err(Malformed::TooLong));
    }
}

#[cfg(test)]
mod vector_tests;
