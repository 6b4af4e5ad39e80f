//! Finds the specifications whose ID a text can be, and the reasons: `cargo run -p sortid --example detect -- TEXT…`.

use sortid::detect;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let some =
        ["C8EE934SR007G5Q94QKKXFRFV8B", "0005cd755a43d79238c05790c0331dd8", "1CQKneD1-X~", "not an ID"];
    let texts = if given.is_empty() { some.map(String::from).to_vec() } else { given };
    for text in texts {
        println!("{text}");
        // The likeliest candidate comes first.
        for candidate in detect(&text) {
            let id = candidate.id();
            let time = id.unix_micros().map_or("no time".into(), |micros| format!("{micros} µs since 1970"));
            let reasons: Vec<_> = candidate.reasons().map(|reason| reason.to_string()).collect();
            println!("  {}, {time}: {}", id.spec(), reasons.join(", "));
        }
    }
}
