//! After a fork, parent and child draw different bytes.
#![cfg(unix)]

use fork::{Fork, fork, waitpid};
use sortid_core::{Entropy, ThreadEntropy};

#[test]
fn a_child_never_repeats_its_parents_bytes() {
    ThreadEntropy.draw::<7>().unwrap(); // seeded, with bytes left over that both processes would have
    let path = std::env::temp_dir().join(format!("sortid-core-fork-{}", std::process::id()));
    match fork().unwrap() {
        Fork::Child => {
            let drawn: Vec<u8> = (0..1000).flat_map(|_| ThreadEntropy.draw::<16>().unwrap()).collect();
            std::process::exit(i32::from(std::fs::write(&path, drawn).is_err()));
        }
        Fork::Parent(child) => {
            let mine: Vec<_> = (0..1000).map(|_| ThreadEntropy.draw::<16>().unwrap()).collect();
            waitpid(child).unwrap();
            let theirs = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            assert_eq!(theirs.len(), 16_000);
            let mut blocks: Vec<_> = mine.iter().map(|block| &block[..]).chain(theirs.chunks(16)).collect();
            blocks.sort_unstable();
            blocks.dedup();
            assert_eq!(blocks.len(), 2000);
        }
    }
}
