//! The conformance vectors of `vectors/euid.json`.

use euid::Euid;
use sortid_testkit::vectors;

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<Euid>(|case| {
        let read = || Euid::parse_with_check(case.text("text").as_bytes()).unwrap();
        match &*case.check {
            "id" => assert_eq!(case["fields"]["check"], read().1.unwrap()),
            "other_text" => {
                let (id, check) = read();
                assert_eq!((&id.to_bytes()[..], check), (&case.bytes("hex")[..], None));
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
