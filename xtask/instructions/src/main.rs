//! Runs one hot path at a time, for `cargo xtask instructions`. Without arguments, it prints the names of the paths.
//! `features` prints the features of the processor that our dependencies look for. `NAME N` runs a path N times.
//!
//! Only the loop of a path depends on N.

#![forbid(unsafe_code)]

use euid::Euid;
use evently_id::{EventId, LedgerId};
use evently_ledger::{CanonicalWriter, Verifier};
use ron_uid::{Base64x64, RonUid, Scheme};
use scru160::Scru160;
use sortid_core::{
    Clock, Entropy, Fence, Fenced, GenerateError, Generator, NodeOptions, Rules, ThreadEntropy,
    testing::SeededEntropy,
};
use std::{cell::Cell, hint::black_box, sync::Arc, time::Duration};
use ulid_flake::UlidFlake;

/// The number of different inputs, which a path uses in turn. N is a multiple of it.
const INPUTS: usize = 1024;

const BATCH: usize = 128;

const LEDGER: &str = include_str!("../../../vectors/ledger-classic.ndjson");

/// A generator of a spec crate, as the function that generates an ID.
macro_rules! of {
    ($options:expr, $entropy:expr) => {{
        let ids = $options.build_with(Steps::new(), $entropy);
        move || ids.generate()
    }};
}

type Path = (&'static str, fn(usize));

const PATHS: &[Path] = &[
    ("encode scru160", |n| over(&inputs(Scru160::from_bytes), n, Scru160::encode)),
    ("encode scru160 hex", |n| over(&inputs(Scru160::from_bytes), n, Scru160::encode_hex)),
    ("encode euid", |n| over(&inputs(Euid::from_bytes), n, Euid::encode)),
    ("encode ulid-flake", |n| over(&inputs(ulid_flake), n, UlidFlake::encode)),
    ("encode ron-uid", |n| over(&inputs(ron_uid), n, RonUid::encode)),
    ("encode evently-id", |n| over(&inputs(EventId::from_bytes), n, EventId::encode)),
    ("parse scru160", |n| over(&texts(Scru160::from_bytes), n, |text| Scru160::parse(text))),
    ("parse euid", |n| over(&texts(Euid::from_bytes), n, |text| Euid::parse(text))),
    ("parse ulid-flake", |n| over(&texts(ulid_flake), n, |text| UlidFlake::parse(text))),
    ("parse ron-uid", |n| over(&texts(ron_uid), n, |text| RonUid::parse(text))),
    ("parse evently-id", |n| over(&texts(EventId::from_bytes), n, |text| EventId::parse(text))),
    ("encode scru160, typed", |n| over(&inputs(FileId::from_bytes), n, FileId::encode)),
    ("encode scru160, typed with a prefix", |n| over(&inputs(UserId::from_bytes), n, UserId::encode)),
    ("parse scru160, typed", |n| over(&texts(FileId::from_bytes), n, |text| FileId::parse(text))),
    ("parse scru160, typed with a prefix", |n| {
        over(&texts(UserId::from_bytes), n, |text| UserId::parse(text));
    }),
    ("generate scru160", |n| generate(n, &of!(scru160::Options::new(), seeded()))),
    ("generate euid", |n| generate(n, &of!(euid::Options::new(), seeded()))),
    ("generate ulid-flake", |n| generate(n, &of!(ulid_flake::Options::new(), seeded()))),
    ("generate ulid-flake, scalable", |n| {
        let options = ulid_flake::scalable::Options::new(7).expect("it is a node");
        generate(n, &of!(options, seeded()));
    }),
    ("generate ron-uid", |n| generate(n, &of!(ron_uid_options(), seeded()))),
    ("generate evently-id", |n| generate(n, &of!(evently_id_options(), seeded()))),
    ("generate scru160, ThreadEntropy", |n| generate(n, &of!(scru160::Options::new(), ThreadEntropy))),
    ("generate euid, ThreadEntropy", |n| generate(n, &of!(euid::Options::new(), ThreadEntropy))),
    ("generate scru160, reserved, ThreadEntropy", |n| {
        generate(n, &reserved(scru160::Options::new(), ThreadEntropy));
    }),
    ("generate euid, reserved, ThreadEntropy", |n| {
        generate(n, &reserved(euid::Options::new(), ThreadEntropy));
    }),
    ("generate ulid-flake, reserved", |n| generate(n, &reserved(ulid_flake::Options::new(), seeded()))),
    ("generate ron-uid, reserved", |n| generate(n, &reserved(ron_uid_options(), ThreadEntropy))),
    ("fill scru160, ThreadEntropy", |n| {
        let ids = scru160::Options::new().build_with(Steps::new(), ThreadEntropy);
        fill(n, |batch| ids.fill(batch));
    }),
    ("fill euid, ThreadEntropy", |n| {
        let ids = euid::Options::new().build_with(Steps::new(), ThreadEntropy);
        fill(n, |batch| ids.fill(batch));
    }),
    ("canonical JSON, a line", canonical_json),
    ("ledger verify, a line", verify),
];

scru160::typed_id! {
    struct FileId;

    #[prefix = "user"]
    struct UserId;
}

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match &args[..] {
        [name, n] => {
            let (_, path) = PATHS.iter().find(|path| path.0 == name).expect("there is no such path");
            path(n.parse().expect("expected a number"));
        }
        [features] if features == "features" => println!("{}", cpu_features()),
        _ => PATHS.iter().for_each(|(name, _)| println!("{name}")),
    }
}

#[cfg(target_arch = "x86_64")]
fn cpu_features() -> String {
    let features = [
        ("sse4.2", std::is_x86_feature_detected!("sse4.2")),
        ("pclmulqdq", std::is_x86_feature_detected!("pclmulqdq")),
        ("cmpxchg16b", std::is_x86_feature_detected!("cmpxchg16b")),
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
    ];
    features.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn cpu_features() -> String {
    std::env::consts::ARCH.to_owned()
}

fn seeded() -> SeededEntropy {
    SeededEntropy::new(7)
}

fn inputs<const N: usize, T>(make: impl Fn([u8; N]) -> T) -> Vec<T> {
    let entropy = seeded();
    (0..INPUTS).map(|_| make(entropy.draw().expect("it never fails"))).collect()
}

fn texts<const N: usize, T: ToString>(make: impl Fn([u8; N]) -> T) -> Vec<String> {
    inputs(|bytes| make(bytes).to_string())
}

fn ulid_flake(bytes: [u8; 8]) -> UlidFlake {
    UlidFlake::try_from_int(i64::from_be_bytes(bytes) & i64::MAX).expect("it is positive")
}

fn ron_uid(bytes: [u8; 16]) -> RonUid {
    let (value, origin) = bytes.split_at(8);
    let [value, origin] = [value, origin].map(|bytes| {
        let int = u64::from_be_bytes(bytes.try_into().expect("8 bytes")) >> 4;
        Base64x64::try_from_int(int).expect("it has 60 bits")
    });
    RonUid::from_fields(value, origin, Scheme::Event)
}

fn ron_uid_options() -> ron_uid::Options {
    ron_uid::Options::new(Base64x64::parse("Xgritzk").expect("these are digits"))
}

fn evently_id_options() -> evently_id::Options {
    evently_id::Options::new(LedgerId::parse("c0331dd8").expect("these are digits"))
}

fn over<T, R>(inputs: &[T], n: usize, mut work: impl FnMut(&T) -> R) {
    for _ in 0..n / INPUTS {
        for input in black_box(inputs) {
            black_box(&work(input));
        }
    }
}

/// Goes a microsecond at each reading, which costs next to nothing.
struct Steps(Cell<u64>);

impl Steps {
    fn new() -> Self {
        Self(Cell::new(1_735_689_600_000_000))
    }
}

impl Clock for Steps {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        self.0.set(self.0.get() + 1);
        Some(self.0.get())
    }
}

/// A generator of node 7 of a fleet, as `sortid-fleet` has it.
fn reserved<O: NodeOptions>(
    options: O,
    entropy: impl Entropy,
) -> impl Fn() -> Result<<O::Rules as Rules>::Id, GenerateError> {
    let fence = Arc::new(Fence::new(Duration::ZERO));
    fence.raise(u64::MAX);
    let rules = Fenced::new(options.with_node_id(7, 32).expect("it has room for a node ID"), fence);
    let ids = Generator::fenced(rules, 0, Steps::new(), entropy);
    let ids = Arc::new(ids.expect("there is no bound before"));
    move || ids.generate()
}

fn generate<I>(n: usize, generate: &impl Fn() -> Result<I, GenerateError>) {
    over(&[(); INPUTS], n, |()| generate().expect("the clock goes, and there is entropy"));
}

/// An ID of a batch.
fn fill<I: Default + Copy>(n: usize, fill: impl Fn(&mut [I]) -> Result<(), GenerateError>) {
    let mut ids = [I::default(); BATCH];
    for _ in 0..n / BATCH {
        fill(black_box(&mut ids)).expect("the clock goes, and there is entropy");
    }
}

fn canonical_json(n: usize) {
    let lines: Vec<_> = LEDGER.lines().collect();
    let mut writer = CanonicalWriter::new();
    for line in black_box(&lines).iter().cycle().take(n) {
        let mut len = 0;
        let result = writer.write(line.as_bytes(), |piece| {
            len += piece.len();
            Ok::<_, std::fmt::Error>(())
        });
        result.expect("the lines are JSON");
        black_box(len);
    }
}

fn verify(n: usize) {
    let lines = LEDGER.lines().count();
    for _ in 0..n / lines {
        let mut verifier = Verifier::new(None);
        verifier.verify_chunk(black_box(LEDGER.as_bytes()), |fault| panic!("{fault}"));
        black_box(verifier.report());
    }
}
