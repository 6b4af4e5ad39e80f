//! All IDs of the soak, in files, so that the memory of the process does not grow.

use crate::ids::{Key, hex, repeated};
use sortid_servers::shell::Result;
use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

/// The number of files. Equal IDs are in the same file, and a file fits into the memory.
const FILES: usize = 256;

#[derive(Default)]
pub(crate) struct Files {
    files: Vec<(PathBuf, BufWriter<File>)>,
    pub(crate) ids: u64,
}

impl Files {
    pub(crate) fn create(folder: &Path) -> Result<Self> {
        let create = |index| {
            let path = folder.join(format!("{index}.ids"));
            let file = BufWriter::with_capacity(1 << 14, File::create_new(&path)?);
            Ok((path, file))
        };
        Ok(Self { files: (0..FILES).map(create).collect::<Result<_>>()?, ids: 0 })
    }

    pub(crate) fn write(&mut self, keys: &[Key]) -> Result {
        for key in keys {
            self.files[file_of(key)].1.write_all(key)?;
        }
        self.ids += keys.len() as u64;
        Ok(())
    }

    /// Reads all IDs, and returns how many occur again, with the first of these.
    pub(crate) fn repeated(mut self) -> Result<(u64, Option<String>)> {
        let (mut ids, mut again, mut first) = (0, 0, None);
        for (path, mut file) in self.files.drain(..) {
            file.flush()?;
            drop(file);
            let mut bytes = fs::read(&path)?;
            let (keys, []) = bytes.as_chunks_mut() else {
                return Err(format!("{} has a part of an ID at its end", path.display()).into());
            };
            ids += keys.len() as u64;
            let (count, key) = repeated(keys);
            again += count;
            first = first.or(key.map(|key| hex(&key)));
            fs::remove_file(path)?;
        }
        if ids != self.ids {
            return Err(format!("expected {} IDs in the files, found {ids}", self.ids).into());
        }
        Ok((again, first))
    }
}

/// The file of an ID, by FNV-1a.
fn file_of(key: &Key) -> usize {
    let hash = key.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) as usize % FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_written_twice_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let key = |n: u64| crate::ids::key(0, &n.to_be_bytes());
        let mut files = Files::create(folder.path()).unwrap();
        for n in 0..10_000 {
            files.write(&[key(n)]).unwrap();
        }
        files.write(&[key(77), key(4711)]).unwrap();
        assert_eq!(files.repeated().unwrap().0, 2);
    }
}
