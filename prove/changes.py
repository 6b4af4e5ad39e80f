"""Changes of the code, each of which has to break a theorem: a proof that cannot fail is worth nothing."""

ALPHABET = "crates/sortid-core/src/alphabet.rs"
ULID_FLAKE = "crates/ulid-flake/src/text.rs"
SCRU160 = "crates/scru160/src/text.rs"
EUID = "crates/euid/src/text.rs"
RON_UID = "crates/ron-uid/src/text.rs"


def change(name, theorem, subject, file, *edits):
    """`edits` are pairs of a text, which the file has once, and what replaces it."""
    pairs = list(zip(edits[::2], edits[1::2], strict=True))
    return {"name": name, "theorem": theorem, "subject": subject, "file": file, "edits": pairs}


CHANGES = [
    change("two digits of Crockford's alphabet change places", "encode", "ulid-flake", ALPHABET,
           '"0123456789ABCDEFGHJKMNPQRSTVWXYZ").ignoring_case();', '"0123456789ABCDEFGHJKMNPQRSTVWXZY").ignoring_case();'),
    change("pairs of digits change places", "encode", "scru160", ALPHABET,
           "first as u32 | (second as u32) << u16::BITS", "second as u32 | (first as u32) << u16::BITS"),
    change("a shift drops a bit", "encode", "scru160", SCRU160, "(high >> 48) as u64", "(high >> 47) as u64"),
    change("the check sums other digits", "encode", "euid", "crates/euid/src/id.rs", "int >> 56 & DIGIT", "int >> 55 & DIGIT"),
    change("another value means no check", "encode", "euid without a check", EUID, "const NO_CHECK: u8 = 127;", "const NO_CHECK: u8 = 126;"),
    change("any character is a digit", "parse", "ulid-flake", ALPHABET, "if seen & NO_DIGIT == 0 {", "if seen & NO_DIGIT == 0 || true {"),
    change("I is read as 0", "parse", "euid", ALPHABET, ".alias(b'I', b'1')", ".alias(b'I', b'0')"),
    change("lower case is refused", "parse", "ulid-flake", ALPHABET,
           'b"0123456789ABCDEFGHJKMNPQRSTVWXYZ").ignoring_case();', 'b"0123456789ABCDEFGHJKMNPQRSTVWXYZ");'),
    change("65 bits are accepted", "parse", "ulid-flake", ULID_FLAKE, "Some(first @ 0..=7)", "Some(first @ 0..=8)"),
    change("W is a digit of base32hex", "parse", "scru160", SCRU160, "letter < 22", "letter < 23"),
    change("a mask drops a bit", "parse", "scru160", SCRU160, "(bits & 0x001f_001f_001f_001f) << 5", "(bits & 0x000f_001f_001f_001f) << 5"),
    change("the check is not compared", "parse", "euid", EUID, "check == id.check()", "check <= 127"),
    change("g is a digit of hex", "parse", "evently-id", ALPHABET, "(letter >= 6)", "(letter >= 7)"),
    change("an error names the character after the wrong one", "parse", "scru160", ALPHABET,
           "create::character(text, at, self.name)", "create::character(text, at + 1, self.name)"),
    change("longer texts are accepted", "lengths", "ulid-flake", ULID_FLAKE,
           "if text.len() != Self::TEXT_LEN {", "if text.len() < Self::TEXT_LEN {"),
    change("short texts panic", "lengths", "euid", EUID, "if text.len() != Self::TEXT_LEN {", "if text.len() > Self::TEXT_LEN {"),
    change("the parser drops the last bit", "round-trip", "evently-id", ALPHABET,
           "values[2 * i] << 4 | values[2 * i + 1]", "values[2 * i] << 4 | values[2 * i + 1] & 14"),
    change("the order ignores the last byte", "order", "scru160", "crates/scru160/src/id.rs",
           "#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[cfg_attr(feature = \"bytemuck\"",
           "#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]\n#[cfg_attr(feature = \"bytemuck\"",
           "pub struct Scru160([u8; BYTES]);\n",
           """pub struct Scru160([u8; BYTES]);
impl PartialOrd for Scru160 {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> { Some(self.cmp(other)) }
}
impl Ord for Scru160 {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering { self.0[..19].cmp(&other.0[..19]) }
}
"""),
    change("the value is left out before a sign", "ron-encode", "ron-uid", RON_UID, "if has_value || !has_origin {", "if has_value {"),
    change("a name of two digits may have its sign", "ron-parse", "ron-uid", RON_UID,
           "end == sign + 1 && uid.is_bare()", "end == sign + 1 && sign != 2 && uid.is_bare()"),
    change("a digit of the origin is lost", "ron-round-trip", "3 digits", RON_UID,
           "Base64x64::from_digits(text, sign + 1, text.len()),", "Base64x64::from_digits(text, sign + 1, text.len() - (text.len() > 12) as usize),"),
    change("the order ignores the scheme", "ron-order", "ron-uid", "crates/ron-uid/src/id.rs",
           "(uid.value(), uid.origin(), uid.scheme())", "(uid.value(), uid.origin())"),
    change("the counter has a value more than its field", "next", "scru160 with a millisecond counter", "crates/scru160/src/generator.rs",
           "(count >> self.width() == 0)", "(count >> self.width() <= 1)"),
    change("a step of 0 is taken", "next", "ulid_flake with steps of 1 bytes", "crates/ulid-flake/src/generator.rs",
           "if increment != 0 {", "if increment != 256 {"),
    change("the last random high continues at 0", "next", "euid", "crates/euid/src/generator.rs",
           "let used_up = last.count as u32 == u32::MAX;", "let used_up = last.count == u64::MAX;"),
    change("the last timestamp is followed by the first", "next", "evently-id", "crates/evently-id/src/generator.rs",
           "last.tick.checked_add(1)", "Some(last.tick.wrapping_add(1))"),
    change("the extension is shifted by a bit", "ids", "scru160 with a millisecond counter", "crates/scru160/src/generator.rs",
           "extension << (16 - self.extension_bits)", "extension << (15 - self.extension_bits)"),
    change("the ID of another extension is not used up", "ids", "euid", "crates/euid/src/generator.rs",
           "if is_ours { id.random_high() } else { u32::MAX }", "if is_ours { id.random_high() } else { 0 }"),
    change("a method drops a bit of its field", "fields", "ulid_flake with steps of 1 bytes", "crates/ulid-flake/src/id.rs",
           "self.to_u63() as u32 & Self::MAX_RANDOMNESS", "self.to_u63() as u32 & (Self::MAX_RANDOMNESS >> 1)"),
    change("two ticks have one field", "ids", "ulid_flake with steps of 1 bytes", "crates/ulid-flake/src/id.rs",
           "timestamp << LAYOUT[3].bits | randomness as u64", "timestamp >> 1 << LAYOUT[3].bits | randomness as u64"),
    change("a clock that stands still begins the tick again", "generators", "evently-id",
           "crates/sortid-core/src/monotonic.rs", "Some(last) if tick <= last.tick => {", "Some(last) if tick < last.tick => {"),
    change("a generator forgets the ID that it resumes after", "generators", "evently-id", "crates/sortid-core/src/state.rs",
           "last: Some(state.last.map_or(position, |last| last.max(position))),", "last: state.last,"),
]
