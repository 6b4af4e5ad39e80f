//! The conformance vectors of `vectors/scru160.json`.

use scru160::Scru160;
use sortid_testkit::vectors;

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<Scru160>(|case| {
        let id = |name| Scru160::parse(case.text(name)).unwrap();
        match &*case.check {
            "id" => {
                let of_hex = id("hex");
                assert_eq!((id("text"), case.text("hex")), (of_hex, of_hex.encode_hex().as_str()));
                let fields = (of_hex.unix_millis(), of_hex.counter(), of_hex.random16(), of_hex.random80());
                assert_eq!(Scru160::try_from_fields(fields.0, fields.1, fields.2, fields.3), Ok(of_hex));
            }
            "other_text" => {
                let of_text = id("text");
                assert_eq!(of_text.as_bytes()[..], case.bytes("hex"));
                assert_eq!(of_text.encode_hex(), case.text("text"));
            }
            _ => return false,
        }
        true
    });
}
