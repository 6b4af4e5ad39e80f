//! The conformance vectors of `vectors/`, whose README says what each check asks, and the checks that all types of IDs
//! pass.

use serde_json::{Map, Value};
use sortid_core::{FieldValue, ParseError, Role, SortableId, UnixMicros};
use std::{fmt, fs, ops::Index, path::Path};

/// A case of the vectors, whose members it has by their names.
#[derive(Debug)]
pub struct Case {
    /// What the case asks.
    pub check: String,
    members: Value,
}

/// Returns the cases of `vectors/NAME.json` in their order. The name is that of a specification, or `ledger`.
///
/// # Panics
///
/// If there is no such file.
#[must_use]
pub fn cases(name: &str) -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../vectors/{name}.json"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let file: Value = serde_json::from_str(&text).unwrap();
    let groups = file["groups"].as_array().unwrap();
    let of = |group: &Value| {
        let check = group["check"].as_str().unwrap().to_owned();
        let cases = group["cases"].as_array().unwrap().clone();
        cases.into_iter().map(move |members| Case { check: check.clone(), members })
    };
    groups.iter().flat_map(of).collect()
}

/// Returns the texts of a specification that are a `text` of this check.
///
/// # Panics
///
/// If there are no such texts.
#[must_use]
pub fn texts(specification: &str, check: &str) -> Vec<String> {
    let cases = cases(specification).into_iter().filter(|case| case.check == check);
    let texts: Vec<_> = cases.map(|case| case.text("text").to_owned()).collect();
    assert!(texts.len() > 3, "{specification} has vectors of the check {check}");
    texts
}

/// Runs the vectors of the specification. `own` runs the checks that only this specification has and returns whether the
/// check is one of them. It gets all cases, and so can add to a common check.
///
/// # Panics
///
/// If a case fails, or if no test runs its check.
pub fn run<I: SortableId>(own: impl Fn(&Case) -> bool) {
    for case in cases(I::NAME) {
        let is_known = common::<I>(&case);
        assert!(own(&case) || is_known, "no test runs the check of {case}");
    }
}

fn common<I: SortableId>(case: &Case) -> bool {
    let parsed = || I::parse(case.text("text")).unwrap_or_else(|error| panic!("{case}: {error}"));
    let of_bytes = |name: &str| I::try_from_bytes(&case.bytes(name)).unwrap();
    let is = |result: Result<I, ParseError>, position: Option<usize>| {
        let Err(error) = result else { panic!("{case}: {result:?}") };
        assert_eq!((error.kind().name(), error.position()), (case.text("error"), position), "{case}");
    };
    match &*case.check {
        "id" => {
            let id = parsed();
            assert_eq!(&*id.encode(), case.text("text"));
            assert_eq!((id, format!("{id:x}")), (of_bytes("hex"), case.text("hex").to_owned()), "{case}");
            assert_eq!(
                id.unix_micros().map_or(Value::Null, |micros| micros.to_string().into()),
                case["unix_us"]
            );
            assert_eq!(Value::Object(fields(&id)), case["fields"], "{case}");
        }
        "parse" => assert_eq!(parsed(), of_bytes("hex"), "{case}"),
        "reject" => is(case.text("text").parse(), case["position"].as_u64().map(|at| at as usize)),
        "reject_bytes" => is(I::try_from_bytes(&case.bytes("hex")), None),
        "bounds" => {
            let time = case.time("unix_us");
            assert_eq!(
                (I::min_at(time), I::max_at(time)),
                (Ok(of_bytes("min")), Ok(of_bytes("max"))),
                "{case}"
            );
        }
        "reject_time" => {
            is(I::min_at(case.time("unix_us")).map_err(Into::into), None);
            is(I::max_at(case.time("unix_us")).map_err(Into::into), None);
        }
        "limits" => {
            assert_eq!((I::MIN, I::MAX), (of_bytes("min"), of_bytes("max")));
            assert_eq!(i128::from(*I::TIMES.start()), case.time("min_unix_us").0);
            assert_eq!(i128::from(*I::TIMES.end()), case.time("max_unix_us").0);
        }
        "order" => {
            let ids: Vec<_> = case.texts("texts").into_iter().map(|text| I::parse(text).unwrap()).collect();
            assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        }
        _ => return false,
    }
    true
}

/// The fields of an ID as the vectors have them.
fn fields<I: SortableId>(id: &I) -> Map<String, Value> {
    let mut fields = Map::new();
    id.for_each_field(|field, value| {
        if field.role != Role::Constant {
            fields.insert(field.name.to_owned(), of_field(field.bits, value));
        }
    });
    fields
}

/// The value of a field of so many bits as the vectors have it.
#[must_use]
pub fn of_field(bits: u32, value: FieldValue) -> Value {
    match value {
        FieldValue::Null => Value::Null,
        FieldValue::Number(number) if bits <= 53 => number.into(),
        other => other.to_string().into(),
    }
}

impl Case {
    /// Returns a member that is a string.
    ///
    /// # Panics
    ///
    /// If the case has no such string.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self[name].as_str().unwrap_or_else(|| panic!("{self} has no string {name}"))
    }

    /// Returns a member that is an array of strings.
    ///
    /// # Panics
    ///
    /// If the case has no such array.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    }

    /// Returns a member that is bytes.
    ///
    /// # Panics
    ///
    /// If the case has no such hex digits.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let digits = self.text(name);
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    }

    /// Returns a member that is a time.
    ///
    /// # Panics
    ///
    /// If the case has no such time.
    #[must_use]
    pub fn time(&self, name: &str) -> UnixMicros {
        UnixMicros(self.text(name).parse().unwrap())
    }
}

impl Index<&str> for Case {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        &self.members[name]
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.check, self.members)
    }
}
