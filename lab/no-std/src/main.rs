//! A program without std, alloc, clock or entropy of a system: it brings its own. Exits with 0 when every
//! specification's IDs come out right.

#![no_std]
#![no_main]

use core::cell::Cell;
use sortid::UnixMicros;

include!("../../testkit/src/specs.rs");

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no preconditions.
    unsafe { abort() }
}

/// The precompiled `core` refers to it, though nothing here unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// A timer that counts microseconds since it was set.
struct Timer(Cell<u64>);

impl sortid::Clock for Timer {
    fn unix_micros(&self) -> Option<u64> {
        self.0.set(self.0.get() + 7);
        Some(1_717_653_966_666_000 + self.0.get())
    }
}

/// A stand-in for a hardware source.
struct Trng(Cell<u8>);

impl sortid::Entropy for Trng {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), sortid::EntropyError> {
        for byte in bytes {
            self.0.set(self.0.get().wrapping_mul(5).wrapping_add(17));
            *byte = self.0.get();
        }
        Ok(())
    }
}

/// Makes IDs, now and for given times, prints and reads them, and sees that they ascend.
macro_rules! check {
    ($name:ident, $module:path, $id:ty, $options:expr, $($column:tt)*) => {{
        let (clock, entropy) = (Timer(Cell::new(0)), Trng(Cell::new(1)));
        let ids = $options.build_with(&clock, &entropy);
        let mut last = <$id>::MIN;
        for _ in 0..1000 {
            let next = ids.generate().unwrap();
            assert!(last < next && <$id>::parse(&next.encode()) == Ok(next));
            last = next;
        }
        let mut many = [<$id>::MIN; 100];
        ids.fill(&mut many).unwrap();
        assert!(many.is_sorted());
        assert!(<$id>::parse("").is_err());
        let [now, later, earlier] = [2, 4, 1].map(|half| UnixMicros(half * 858_826_983_333_000));
        let mut given = $options.backfill_with(&entropy);
        let [first, second] = [now, now].map(|time| given.generate(time).unwrap());
        assert!(<$id>::min_at(now).unwrap() <= first && first < second);
        assert!(given.generate(earlier).is_err());
        assert!(<$id>::min_at(now).unwrap() <= many[0] && many[99] <= <$id>::max_at(later).unwrap());
    }};
}

/// Defines an ID type with a prefix, prints and reads an ID.
macro_rules! check_typed {
    ($name:ident, sortid::$module:ident, $id:ty, $($rest:tt)*) => {{
        sortid::$module::typed_id! {
            #[prefix = "typed"]
            struct TypedId;
        }
        let id = TypedId::from_id(<$id>::MAX);
        let text = id.encode();
        assert!(text.starts_with("typed_") && TypedId::parse(&text) == Ok(id) && id.get() == <$id>::MAX);
        assert!(TypedId::parse(&id.get().encode()).is_err());
    }};
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    for_each_spec!(check);
    for_scalable!(check);
    for_each_spec!(check_typed);

    let ledger_id = sortid::evently_id::event_id!("0005cd755a43d79238c05790c0331dd8").ledger_id();
    assert!(sortid::evently_id::LedgerId::parse(&ledger_id.encode()) == Ok(ledger_id));
    let logical =
        sortid::ron_uid::LamportClock::new(sortid::ron_uid::ron_uid!("Xgritzk0_D").value(), 5).unwrap();
    let [first, second] = [logical.generate().unwrap(), logical.generate().unwrap()];
    assert!(first < second && sortid::ron_uid::RonUid::unzip(&second.zip(&first), &first) == Ok(second));
    assert!(sortid::ron_uid::Vector::new("time-origin,[1,(2{2").all(|uid| uid.is_ok()));

    for id in sortid::Spec::ALL.iter().map(|&spec| sortid::AnyId::max(spec)) {
        assert!(sortid::detect(id.encode()).any(|candidate| candidate.id() == id));
    }
    0
}
