//! Texts that are slow to make, and right by inspection.

pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const BASE32HEX: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
pub(crate) const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
pub(crate) const BASE36: &str = "0123456789abcdefghijklmnopqrstuvwxyz";
pub(crate) const BASE62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const BASE64X64: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

/// The `len` digits of an integer of any length, by long division.
pub(crate) fn digits(bytes: &[u8], alphabet: &str, len: usize) -> String {
    let (mut quotient, mut text) = (bytes.to_vec(), vec![]);
    for _ in 0..len {
        let mut rest = 0;
        for byte in &mut quotient {
            let dividend = rest << 8 | usize::from(*byte);
            *byte = (dividend / alphabet.len()) as u8;
            rest = dividend % alphabet.len();
        }
        text.push(alphabet.as_bytes()[rest]);
    }
    assert!(quotient.iter().all(|&byte| byte == 0), "{len} digits are too few");
    text.reverse();
    String::from_utf8(text).expect("digits are ASCII")
}

/// An EUID with its check: 135 bits, in 17 bytes.
pub(crate) fn with_check(id: u128) -> Vec<u8> {
    let mut bytes = vec![(id >> 121) as u8];
    bytes.extend(((id << 7) | (id % 127)).to_be_bytes());
    bytes
}
