//! What all laws need: the numbers of the specifications, and the answers of a call.

use crate::{
    failure::{failure_index, failure_kind, failure_message},
    spec, tray,
};
use arbitrary::Arbitrary;
use sortid::{AnyId, ParseError, Spec};

/// As `SPECS` of the package has them: JavaScript passes no other number.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(crate) enum Number {
    N0,
    N1,
    N2,
    N3,
    N4,
}

const _: () = assert!(Spec::ALL.len() == 5, "`Number` has the number of each specification");

/// Whether there is an answer. A failure is left for JavaScript, and is the error of the crates.
pub(crate) fn answered(is_there: bool, error: Option<&ParseError>) -> bool {
    if !is_there {
        assert!(!failure_kind().is_empty() && !failure_message().is_empty());
        if let Some(error) = error {
            assert_eq!((&*failure_kind(), failure_message()), (error.kind().name(), error.to_string()));
            assert_eq!(failure_index(), error.position().map_or(-1.0, |at| at as f64));
        }
    }
    is_there
}

pub(crate) fn id_in_tray(number: u32) -> AnyId {
    tray::any(spec(number)).expect("the tray has an ID")
}
