//! The conformance vectors of `vectors/ulid-flake.json`.

use sortid_testkit::vectors;
use ulid_flake::{UlidFlake, scalable::Scalable};

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<UlidFlake>(|case| {
        let id = || UlidFlake::parse(case.text("text")).unwrap();
        match &*case.check {
            "id" => {
                let id = id();
                assert_eq!(UlidFlake::try_from_int(id.to_int()), Ok(id));
                assert_eq!(UlidFlake::try_from_fields(id.timestamp(), id.randomness()), Ok(id));
            }
            "scalable" => {
                let (id, view) = (id(), id().scalable());
                assert_eq!(id.to_bytes()[..], case.bytes("hex"));
                let fields = &case["fields"];
                view.for_each_field(|field, value| {
                    let is_constant = field.name == "sign";
                    assert!(
                        is_constant || vectors::of_field(field.bits, value) == fields[field.name],
                        "{case}"
                    );
                });
                let (timestamp, randomness, node) = (id.timestamp(), view.randomness(), view.scalability());
                assert_eq!(
                    (&fields["randomness"], &fields["scalability"]),
                    (&randomness.into(), &node.into())
                );
                assert_eq!(Scalable::try_from_fields(timestamp, randomness, node), Ok(id));
            }
            _ => return false,
        }
        true
    });
}
