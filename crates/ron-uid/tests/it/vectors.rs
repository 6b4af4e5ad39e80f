//! The conformance vectors of `vectors/ron-uid.json`.

use ron_uid::{Base64x64, RonUid, Scheme, Vector, VectorBuilder};
use sortid_testkit::vectors;

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<RonUid>(|case| {
        let uid = |name| RonUid::parse(case.text(name)).unwrap();
        match &*case.check {
            // Bare words with trailing zeros, such as `100`, are only of the check `parse`: the published implementation
            // trims their zeros too late.
            "id" => {
                let part = |name| Base64x64::parse(case["fields"][name].as_str().unwrap()).unwrap();
                let mut schemes = Scheme::ALL.into_iter();
                let scheme = schemes.find(|scheme| case["fields"]["scheme"] == scheme.name()).unwrap();
                assert_eq!(RonUid::from_fields(part("value"), part("origin"), scheme), uid("text"), "{case}");
            }
            "base64x64" => {
                let int = Base64x64::parse(case.text("text")).unwrap();
                assert_eq!(
                    (int.to_int().to_string(), int.encode().as_str()),
                    (case.text("int").to_owned(), case.text("text"))
                );
                assert_eq!(Base64x64::try_from_int(int.to_int()), Ok(int));
            }
            "zip" => {
                assert_eq!(uid("id").zip(&uid("context")), case.text("text"), "{case}");
                assert_eq!(RonUid::unzip(case.text("text"), &uid("context")), Ok(uid("id")), "{case}");
            }
            "unzip" => {
                assert_eq!(RonUid::unzip(case.text("text"), &uid("context")), Ok(uid("id")), "{case}");
            }
            "list" => {
                let uids: Vec<RonUid> = case.texts("ids").iter().map(|uid| uid.parse().unwrap()).collect();
                let read: Result<Vec<RonUid>, _> = Vector::new(case.text("text")).collect();
                assert_eq!(read, Ok(uids.clone()));
                assert_eq!(uids.into_iter().collect::<VectorBuilder>().as_str(), case.text("text"));
            }
            _ => return false,
        }
        true
    });
}

#[test]
fn the_constants_have_the_values_of_the_specification() {
    assert_eq!(Base64x64::NEVER.to_int(), 1_134_907_106_097_364_992);
    assert_eq!([Base64x64::NEVER, Base64x64::ERROR].map(|int| int.to_string()), ["~", "~~~~~~~~~~"]);
    assert_eq!([RonUid::NEVER, RonUid::ERROR].map(|uid| uid.to_string()), ["~", "~~~~~~~~~~"]);
}
