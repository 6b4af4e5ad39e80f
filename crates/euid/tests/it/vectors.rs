//! The conformance vectors of `vectors/euid.json`.

use euid::{Euid, ParseErrorKind};
use sortid_testkit::vectors;

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<Euid>(|case| {
        let text = || case.text("text");
        match &*case.check {
            "id" => {
                let id = Euid::parse_with_check(text()).unwrap();
                assert_eq!(case["fields"]["check"], id.check());
            }
            "other_text" => {
                let id = Euid::parse(text()).unwrap();
                assert_eq!(id.to_bytes()[..], case.bytes("hex")[..]);
                let error = Euid::parse_with_check(text()).unwrap_err();
                assert_eq!(error.kind(), ParseErrorKind::Check, "{error}");
                assert_eq!(id.encode_without_check(), case.text("text"));
            }
            _ => return false,
        }
        true
    });
}

#[test]
fn a_wrong_check_is_named_with_the_right_one() {
    let wrong = Euid::parse("C8X2HA87098A0W837DX13FEAWVV").unwrap_err();
    assert_eq!(wrong.to_string(), "the check is 123, expected 56");
}
