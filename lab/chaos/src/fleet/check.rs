//! The check of all IDs of a fleet.
//!
//! The files `NODE_ID-GENERATION-PROCESS-THREAD.ids` have the bytes of IDs, one after the other. The IDs with a node ID
//! have to ascend in the order of generations, and the IDs of all threads of a generation have to be distinct. So no ID
//! occurs twice.

use crate::ids::{Key, Kind, hex, key};
use sortid_servers::shell::Result;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufReader, ErrorKind, Read as _},
    path::{Path, PathBuf},
};

/// The most problems that are described.
const MOST_SHOWN: usize = 20;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) ids: u64,
    /// Generations with at least one ID.
    pub(super) holders: u64,
    pub(super) node_ids: u64,
    /// IDs that are equal to the one before in the order.
    pub(super) repeated: u64,
    /// IDs that are less than one before.
    pub(super) disordered: u64,
    /// IDs with another node ID than their file.
    pub(super) of_another_node_id: u64,
    /// Generations of several processes.
    pub(super) shared: u64,
    /// The first of these problems.
    pub(super) shown: Vec<String>,
}

impl Found {
    fn describe(&mut self, problem: impl FnOnce() -> String) {
        if self.shown.len() < MOST_SHOWN {
            self.shown.push(problem());
        }
    }
}

/// The files of a generation, with their processes.
type Generation = Vec<(u64, PathBuf)>;

/// Checks the files of a folder.
pub(super) fn check(folder: &Path, kind: Kind) -> Result<Found> {
    let mut node_ids: BTreeMap<u32, BTreeMap<u64, Generation>> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ids") {
            let (node_id, generation, process) =
                parse(&path).ok_or_else(|| format!("unknown file {}", path.display()))?;
            node_ids.entry(node_id).or_default().entry(generation).or_default().push((process, path));
        }
    }
    let mut found = Found::default();
    for (&number, generations) in &node_ids {
        let mut last: Option<(Key, &Path)> = None;
        let before = found.ids;
        for (generation, files) in generations {
            let processes: BTreeSet<_> = files.iter().map(|(process, _)| process).collect();
            if processes.len() > 1 {
                found.shared += 1;
                found.describe(|| {
                    format!("node ID {number}, generation {generation}: processes {processes:?}")
                });
            }
            let before = found.ids;
            let mut readers =
                files.iter().map(|(_, path)| Reader::open(path, kind)).collect::<io::Result<Vec<_>>>()?;
            // The least of the next IDs of all threads.
            while let Some(reader) =
                readers.iter_mut().filter(|it| it.next.is_some()).min_by_key(|it| it.next)
            {
                let Some(key) = reader.next else { break };
                let bytes = &key[1..=kind.bytes()];
                found.ids += 1;
                if kind.node_id(bytes) != Some(number) {
                    found.of_another_node_id += 1;
                    found.describe(|| {
                        format!("{}: an ID with another node ID: {}", reader.shown(), hex(bytes))
                    });
                }
                match last {
                    Some((before, path)) if before >= key => {
                        let is_repeated = before == key;
                        *if is_repeated { &mut found.repeated } else { &mut found.disordered } += 1;
                        let what = if is_repeated { "equal to" } else { "less than" };
                        let before = hex(&before[1..=kind.bytes()]);
                        found.describe(|| {
                            let (place, bytes, path) = (reader.shown(), hex(bytes), name(path));
                            format!("{place}: {bytes} is {what} {before} of {path}")
                        });
                        if !is_repeated {
                            reader.advance()?;
                            continue;
                        }
                    }
                    _ => {}
                }
                last = Some((key, reader.path));
                reader.advance()?;
            }
            found.holders += u64::from(found.ids > before);
        }
        found.node_ids += u64::from(found.ids > before);
    }
    Ok(found)
}

/// The node ID, the generation and the process of a file.
fn parse(path: &Path) -> Option<(u32, u64, u64)> {
    let mut parts = path.file_stem()?.to_str()?.split('-');
    let parsed = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.count() == 1).then_some(parsed)
}

fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

struct Reader<'a> {
    path: &'a Path,
    file: BufReader<File>,
    bytes: usize,
    count: u64,
    next: Option<Key>,
}

impl<'a> Reader<'a> {
    fn open(path: &'a Path, kind: Kind) -> io::Result<Self> {
        let file = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut reader = Self { path, file, bytes: kind.bytes(), count: 0, next: None };
        reader.advance()?;
        Ok(reader)
    }

    /// Reads the next ID. A process can be killed within a write: then the last ID is cut, and was not handed out.
    fn advance(&mut self) -> io::Result<()> {
        let mut key = key(0, &[]);
        self.next = match self.file.read_exact(&mut key[1..=self.bytes]) {
            Ok(()) => Some(key),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
            Err(error) => return Err(error),
        };
        self.count += 1;
        Ok(())
    }

    /// The file, and the place of the next ID.
    fn shown(&self) -> String {
        format!("{}, ID {}", name(self.path), self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortid::{
        Spec,
        ulid_flake::{UlidFlake, scalable::Scalable},
    };

    const KIND: Kind = Kind::Spec(Spec::UlidFlake);

    /// A Ulid-Flake of this time and node ID.
    fn id(time: u64, node_id: u8) -> UlidFlake {
        Scalable::try_from_fields(time, 0, node_id).unwrap()
    }

    fn found(files: &[(&str, &[UlidFlake])]) -> Found {
        let folder = tempfile::tempdir().unwrap();
        for (name, ids) in files {
            let bytes: Vec<_> = ids.iter().flat_map(|id| id.to_bytes()).collect();
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Found { shown: vec![], ..check(folder.path(), KIND).unwrap() }
    }

    const GOOD: Found = Found {
        ids: 0,
        holders: 0,
        node_ids: 0,
        repeated: 0,
        disordered: 0,
        of_another_node_id: 0,
        shared: 0,
        shown: vec![],
    };

    #[test]
    fn ids_in_order_pass() {
        let files: [(&str, &[UlidFlake]); 5] = [
            ("3-2-100-0.ids", &[id(1, 3), id(4, 3)]),
            ("3-2-100-1.ids", &[id(2, 3), id(3, 3)]),
            // The order of generations is numeric, not that of texts.
            ("3-10-101-0.ids", &[id(5, 3)]),
            ("3-11-101-0.ids", &[]),
            ("4-1-102-0.ids", &[id(1, 4)]),
        ];
        assert_eq!(found(&files), Found { ids: 6, holders: 3, node_ids: 2, ..GOOD });
    }

    #[test]
    fn an_id_that_occurs_twice_is_found() {
        let in_a_file: (&str, &[UlidFlake]) = ("3-1-100-0.ids", &[id(1, 3), id(1, 3)]);
        assert_eq!(found(&[in_a_file]), Found { ids: 2, holders: 1, node_ids: 1, repeated: 1, ..GOOD });
        let files: [(&str, &[UlidFlake]); 2] =
            [("3-1-100-0.ids", &[id(1, 3), id(2, 3), id(3, 3)]), ("3-1-100-1.ids", &[id(2, 3), id(4, 3)])];
        assert_eq!(found(&files), Found { ids: 5, holders: 1, node_ids: 1, repeated: 1, ..GOOD });
        let files: [(&str, &[UlidFlake]); 2] =
            [("3-1-100-0.ids", &[id(1, 3), id(2, 3)]), ("3-2-101-0.ids", &[id(2, 3), id(3, 3)])];
        assert_eq!(found(&files), Found { ids: 4, holders: 2, node_ids: 1, repeated: 1, ..GOOD });
    }

    #[test]
    fn an_id_out_of_order_is_found() {
        let in_a_file: (&str, &[UlidFlake]) = ("3-1-100-0.ids", &[id(2, 3), id(1, 3), id(3, 3)]);
        assert_eq!(found(&[in_a_file]), Found { ids: 3, holders: 1, node_ids: 1, disordered: 1, ..GOOD });
        let files: [(&str, &[UlidFlake]); 2] =
            [("3-1-100-0.ids", &[id(1, 3), id(3, 3)]), ("3-2-101-0.ids", &[id(2, 3), id(4, 3)])];
        assert_eq!(found(&files), Found { ids: 4, holders: 2, node_ids: 1, disordered: 1, ..GOOD });
    }

    #[test]
    fn an_id_of_another_node_id_and_two_processes_of_a_generation_are_found() {
        let files: [(&str, &[UlidFlake]); 2] =
            [("3-1-100-0.ids", &[id(1, 3), id(2, 4)]), ("3-1-101-0.ids", &[id(3, 3)])];
        assert_eq!(
            found(&files),
            Found { ids: 3, holders: 1, node_ids: 1, of_another_node_id: 1, shared: 1, ..GOOD }
        );
    }

    #[test]
    fn an_id_that_was_cut_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = [id(1, 3), id(2, 3)].map(UlidFlake::to_bytes).concat();
        fs::write(folder.path().join("3-1-100-0.ids"), &bytes[..12]).unwrap();
        assert_eq!(check(folder.path(), KIND).unwrap().ids, 1);
        fs::write(folder.path().join("other.ids"), "").unwrap();
        assert!(check(folder.path(), KIND).is_err());
    }

    #[test]
    fn a_snowflake_that_occurs_twice_or_has_another_node_id_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let snowflake = |millis: u64, node_id: u64| (millis << 22 | node_id << 12).to_be_bytes();
        let numbers = [(1, 3), (2, 3), (2, 3), (3, 4)].map(|(millis, node_id)| snowflake(millis, node_id));
        fs::write(folder.path().join("3-1-100-0.ids"), numbers.concat()).unwrap();
        let found = Found { shown: vec![], ..check(folder.path(), Kind::Snowflake).unwrap() };
        let expected = Found { ids: 4, holders: 1, node_ids: 1, repeated: 1, of_another_node_id: 1, ..GOOD };
        assert_eq!(found, expected);
    }
}
