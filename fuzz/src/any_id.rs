//! `AnyId` and `detect` of the crate `sortid`.

use sortid::{AnyId, Spec, detect};

pub(crate) fn any_id(data: &[u8]) {
    let found: Vec<_> = detect(data).collect();
    assert!(found.is_sorted_by(|a, b| a.weight() >= b.weight()));
    for spec in Spec::ALL {
        let read = AnyId::parse_ascii(*spec, data);
        let candidate = found.iter().find(|candidate| candidate.id().spec() == *spec);
        assert_eq!(candidate.map(|candidate| candidate.id()), read.as_ref().ok().copied());
        let Ok(id) = read else { continue };
        assert_eq!(id.spec(), *spec);
        assert_eq!(AnyId::parse(*spec, &id.encode()), Ok(id));
        assert_eq!(AnyId::try_from_bytes(*spec, id.as_bytes()), Ok(id));
        assert!(detect(id.encode().as_bytes()).any(|candidate| candidate.id() == id));
    }
}
