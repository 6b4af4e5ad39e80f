//! A program without std, alloc, clock or entropy of a system: it brings its own. Exits with 0 when every
//! specification's IDs come out right.

#![no_std]
#![no_main]

use core::{cell::Cell, time::Duration};

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

impl scru160::Clock for Timer {
    fn unix_micros(&self) -> Option<u64> {
        self.0.set(self.0.get() + 7);
        Some(1_717_653_966_666_000 + self.0.get())
    }
}

/// A stand-in for a hardware source.
struct Trng(Cell<u8>);

impl scru160::Entropy for Trng {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), scru160::EntropyError> {
        for byte in bytes {
            self.0.set(self.0.get().wrapping_mul(5).wrapping_add(17));
            *byte = self.0.get();
        }
        Ok(())
    }
}

/// Makes IDs on both kinds of generators and for given times, prints and reads them, and sees that they ascend.
macro_rules! check {
    ($id:ty, $options:expr, $generator:path, $shared:path, $backfill:path) => {{
        use $backfill as Backfill;
        use $generator as Generator;
        use $shared as SharedCell;
        let (clock, entropy) = (Timer(Cell::new(0)), Trng(Cell::new(1)));
        let ids = Generator::from_parts($options, &clock, &entropy);
        let shared = SharedCell::from_parts($options, &clock, &entropy);
        let mut last = [<$id>::MIN; 2];
        for _ in 0..1000 {
            let next = [ids.generate().unwrap(), shared.generate().unwrap()];
            for (last, next) in last.into_iter().zip(next) {
                assert!(last < next && <$id>::parse(&next.encode()) == Ok(next));
            }
            last = next;
        }
        let mut many = [<$id>::MIN; 100];
        shared.fill(&mut many).unwrap();
        assert!(many.is_sorted());
        assert!(<$id>::parse("").is_err());
        let now = Duration::from_micros(1_717_653_966_666_000);
        let mut given = Backfill::from_parts($options, &entropy);
        let [first, second] = [now, now].map(|time| given.generate(time).unwrap());
        assert!(<$id>::min_at(now).unwrap() <= first && first < second);
        assert!(given.generate(now / 2).is_err());
        assert!(<$id>::min_at(now).unwrap() <= many[0] && many[99] <= <$id>::max_at(now + now).unwrap());
    }};
}

/// Defines an ID type with a prefix, prints and reads an ID.
macro_rules! check_typed {
    ($spec:ident, $id:ident) => {{
        $spec::typed_id! {
            #[prefix = "typed"]
            struct TypedId;
        }
        let id = TypedId::from_id($spec::$id::MAX);
        let text = id.encode();
        assert!(text.starts_with("typed_") && TypedId::parse(&text) == Ok(id) && id.get() == $spec::$id::MAX);
        assert!(TypedId::parse(&id.get().encode()).is_err());
    }};
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    check!(
        scru160::Scru160,
        scru160::Options::new().node(3, 5).unwrap(),
        scru160::Generator,
        scru160::SharedGenerator,
        scru160::Backfill
    );
    check!(
        euid::Euid,
        euid::Options::new().extension(euid::Extension::new(5).unwrap()),
        euid::Generator,
        euid::SharedGenerator,
        euid::Backfill
    );
    check!(
        ulid_flake::UlidFlake,
        ulid_flake::Options::new(),
        ulid_flake::Generator,
        ulid_flake::SharedGenerator,
        ulid_flake::Backfill
    );
    check!(
        ulid_flake::UlidFlake,
        ulid_flake::scalable::Options::new(31).unwrap(),
        ulid_flake::scalable::Generator,
        ulid_flake::scalable::SharedGenerator,
        ulid_flake::scalable::Backfill
    );
    let origin = ron_uid::ron_uid!("Xgritzk0_D").value();
    check!(
        ron_uid::RonUid,
        ron_uid::Options::new(origin).min_length(5).unwrap(),
        ron_uid::Generator,
        ron_uid::SharedGenerator,
        ron_uid::Backfill
    );
    let ledger_id = evently_id::event_id!("0005cd755a43d79238c05790c0331dd8").ledger_id();
    check!(
        evently_id::EventId,
        evently_id::Options::new(ledger_id),
        evently_id::Generator,
        evently_id::SharedGenerator,
        evently_id::Backfill
    );
    assert!(evently_id::LedgerId::parse(&ledger_id.encode()) == Ok(ledger_id));
    let logical = ron_uid::LamportClock::new(origin, 5).unwrap();
    let [first, second] = [logical.generate().unwrap(), logical.generate().unwrap()];
    assert!(first < second && ron_uid::RonUid::unzip(&second.zip(&first), &first) == Ok(second));
    assert!(ron_uid::Vector::new("time-origin,[1,(2{2").all(|uid| uid.is_ok()));

    check_typed!(scru160, Scru160);
    check_typed!(euid, Euid);
    check_typed!(ulid_flake, UlidFlake);
    check_typed!(ron_uid, RonUid);
    check_typed!(evently_id, EventId);

    for id in sortid::Spec::ALL.iter().map(|&spec| sortid::AnyId::max(spec)) {
        assert!(sortid::detect(id.encode()).any(|candidate| candidate.id() == id));
    }
    0
}
