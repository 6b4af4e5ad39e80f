//! What all laws need: the numbers of the specifications, and the answers of a call.

use crate::{
    failure::{failure_kind, failure_message, failure_number},
    spec, tray,
};
use arbitrary::{Arbitrary, Result, Unstructured};
use sortid::{AnyId, ParseError, Spec};

/// The number of a specification, as `SPECS` of the package has them: JavaScript passes no other number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) u32);

impl Number {
    pub(crate) fn of(spec: Spec) -> Self {
        Self(Spec::ALL.iter().position(|it| *it == spec).expect("one of all") as u32)
    }
}

/// Chooses as for an enum with a variant for each specification.
impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let drawn = u64::from(u32::arbitrary(input)?);
        Ok(Self((drawn * Spec::ALL.len() as u64 >> u32::BITS) as u32))
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        u32::size_hint(depth)
    }
}

/// Whether there is an answer. A failure is left for JavaScript, and is the error of the crates.
pub(crate) fn answered(is_there: bool, error: Option<&ParseError>) -> bool {
    if !is_there {
        assert!(!failure_kind().is_empty() && !failure_message().is_empty());
        if let Some(error) = error {
            assert_eq!((&*failure_kind(), failure_message()), (error.kind().name(), error.to_string()));
            assert_eq!(failure_number(), error.position().map_or(-1.0, |at| at as f64));
        }
    }
    is_there
}

pub(crate) fn id_in_tray(Number(number): Number) -> AnyId {
    tray::any(spec(number)).expect("the tray has an ID")
}
