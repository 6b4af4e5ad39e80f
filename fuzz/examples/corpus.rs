//! `list` prints the targets, their longest inputs and their numbers of laws. `unpack` writes the vectors and the committed corpus to the folders that
//! libFuzzer reads. `pack` writes the committed corpus from these folders: the shortest inputs first, as many as fit 16 KiB for each law.

use data_encoding::HEXLOWER;
use sortid_fuzz::{TARGETS, Target, seeds};
use std::{fs, io, path::PathBuf};

const MOST_BYTES: usize = 16 << 10;

fn main() -> io::Result<()> {
    let action = std::env::args().nth(1).unwrap_or_default();
    for Target { name, longest, choices, .. } in TARGETS {
        match &*action {
            "list" => println!("{name} {longest} {choices}"),
            "pack" => pack(name, MOST_BYTES * choices)?,
            "unpack" => unpack(name)?,
            _ => return Err(io::Error::other(format!("{action:?} is not list, pack or unpack"))),
        }
    }
    Ok(())
}

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

fn unpack(target: &str) -> io::Result<()> {
    let folder = folder(target);
    fs::create_dir_all(&folder)?;
    for (origin, inputs) in [("vector", seeds::from_vectors(target)), ("seed", seeds::committed(target))] {
        for (index, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("{origin}-{index}")), input)?;
        }
    }
    Ok(())
}

fn pack(target: &str, mut room: usize) -> io::Result<()> {
    let mut inputs =
        fs::read_dir(folder(target))?.map(|entry| fs::read(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    inputs.sort_by_key(|input| (input.len(), input.clone()));
    inputs.dedup();
    let mut text = String::new();
    for input in inputs {
        let line = HEXLOWER.encode(&input) + "\n";
        let Some(left) = room.checked_sub(line.len()) else { break };
        room = left;
        text.push_str(&line);
    }
    fs::write(seeds::committed_path(target), text)
}
