//! The conformance vectors of `vectors/evently-id.json`.

use evently_id::EventId;
use sortid_testkit::vectors;

#[test]
fn every_case_of_the_vectors_holds() {
    vectors::run::<EventId>(|_| false);
}
