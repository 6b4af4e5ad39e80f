//! Forks of the process. Each child makes IDs, and sends them to its parent.

use super::{
    reservations::{self, fleet},
    source::{InChild, Source},
    world::World,
};
use crate::ids::{BATCH, Key};
use fastrand::Rng;
use fork::{Fork, fork, waitpid};
// Ends the child at once: `std::process::exit` would wait for ever for a lock of the standard library, if a thread of the
// parent began or ended during the fork.
use signal_hook::low_level::exit;
use sortid_core::GenerateErrorKind;
use sortid_fleet::DirectoryStore;
use sortid_servers::shell::Result;
use std::{
    io::{PipeReader, Read as _, Write as _, pipe},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::Command,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

/// A child that takes longer is one that waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Forks the process again and again until the soak is over, while other threads are at work.
pub(crate) fn run(world: &World, folder: &Path, mut random: Rng) -> Result {
    while !world.is_over() {
        thread::sleep(Duration::from_millis(random.u64(5..200)));
        // The child has no locks: another thread may hold them, which does not exist there.
        let sources: Vec<_> =
            world.sources().into_iter().map(|source| (source.handed_over(), source)).collect();
        let mut random_of_child = random.fork();
        let joins = random.u8(0..16) == 0;
        let (reader, mut writer) = pipe()?;
        match fork()? {
            Fork::Child => {
                drop(reader);
                let work = || {
                    let mut keys = vec![];
                    for (before, source) in &sources {
                        in_child(source, *before, random_of_child.usize(1..=BATCH), &mut keys)?;
                    }
                    let made = keys.len();
                    if joins {
                        join(folder, random_of_child.bool(), &mut keys)?;
                    }
                    writer.write_all(&[u8::from(keys.len() > made)])?;
                    Ok(writer.write_all(keys.as_flattened())?)
                };
                let result: Result<Result> =
                    catch_unwind(AssertUnwindSafe(work)).map_err(|_| "a panic".into());
                if let Ok(Err(error)) | Err(error) = result {
                    eprintln!("in the child of a fork: {error}");
                    exit(1);
                }
                exit(0);
            }
            Fork::Parent(child) => {
                drop(writer);
                let bytes = answer(reader, child)?;
                // The generators that the child could use are dropped in the parent, not in the child.
                drop(sources);
                let Some((&has_joined, bytes)) = bytes.split_first() else { continue };
                let (keys, []) = bytes.as_chunks() else {
                    return Err("the child of a fork sent a part of an ID".into());
                };
                world.write(keys)?;
                world.count("forks", 1);
                world.count("IDs that children made", keys.len() as u64);
                world.count("node IDs of the fleet that children took", has_joined.into());
            }
        }
    }
    Ok(())
}

/// Reads what a child sends, and waits for its end.
fn answer(mut reader: PipeReader, child: i32) -> Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = vec![];
        let read = reader.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody waits for the answer of a child that took too long.
        let _ = sender.send(read);
    });
    let Ok(bytes) = receiver.recv_timeout(PATIENCE) else {
        Command::new("kill").args(["-KILL", &child.to_string()]).status()?;
        waitpid(child)?;
        return Err(format!("the child of a fork takes longer than {PATIENCE:?}").into());
    };
    if waitpid(child)? != 0 {
        return Err("the child of a fork failed: see its message".into());
    }
    Ok(bytes?)
}

/// Uses a generator of the parent.
fn in_child(source: &Source, before: Option<(u16, Key)>, count: usize, keys: &mut Vec<Key>) -> Result {
    let from = keys.len();
    let (made, _) = source.make_after(before, count, keys)?;
    let Err(error) = made else {
        if source.in_child == InChild::Continues {
            return Ok(());
        }
        if source.in_child == InChild::Refuses && before.is_none() {
            // The parent has not used the generator, so it is free.
            keys.truncate(from);
            return Ok(());
        }
        return Err(format!("{}: the generator of the parent makes IDs in the child", source.name).into());
    };
    keys.truncate(from);
    let is_expected = source.in_child != InChild::Continues;
    if is_expected && error.kind() == GenerateErrorKind::OtherProcess {
        Ok(())
    } else {
        Err(format!("{}, in the child: {error}", source.name).into())
    }
}

/// Joins the fleet as a process of its own. A child that does not leave has crashed: its node ID is free after a window.
fn join(folder: &Path, leaves: bool, keys: &mut Vec<Key>) -> Result {
    let Ok(node) = fleet(Arc::new(DirectoryStore::open(folder)?))?.join() else { return Ok(()) };
    let sources = reservations::sources(&node)?;
    for source in &sources {
        for _ in 0..10 {
            // An error is one of the reservation.
            let _ = source.make(BATCH, keys)?;
        }
    }
    if leaves {
        node.release()?;
    } else {
        mem::forget((sources, node));
    }
    Ok(())
}
