//! Directories on overlays: several mounts can have one lower layer.

use crate::{
    common::{SECOND, wait_until},
    directory::has,
};
use sortid_fleet::{DirectoryStore, Fleet, Holder, Init, Node, Record, Store, StoreErrorKind, init};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

const SPACE: &str = "orders";

/// Mounts of overlays in a folder.
struct Layers {
    folder: TempDir,
    mounts: Vec<PathBuf>,
}

impl Layers {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("image")).unwrap();
        Self { folder, mounts: vec![] }
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("image")
    }

    fn upper(&self, name: &str) -> PathBuf {
        self.folder.path().join(name).join("upper")
    }

    /// Mounts an overlay of this name above a layer; `None` where this user may not, or the kernel does not know the options.
    /// A name that was mounted before has what was written then.
    fn mount(&mut self, name: &str, lower: &Path, options: &str) -> Option<PathBuf> {
        let base = self.folder.path().join(name);
        let mounted = base.join("mounted");
        for folder in ["upper", "work", "mounted"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        let [lower, base] = [lower, &base].map(|path| path.to_str().unwrap());
        let all = format!("lowerdir={lower},upperdir={base}/upper,workdir={base}/work{options}");
        if !has("mount", &["-t", "overlay", "overlay", "-o", &all, mounted.to_str().unwrap()]) {
            return None;
        }
        self.mounts.push(mounted.clone());
        Some(mounted)
    }

    fn unmount(&mut self) {
        for mounted in self.mounts.drain(..).rev() {
            // The child of another test may have a file of the layer open, between its fork and its exec.
            let is_unmounted = |_| {
                has("umount", &[mounted.to_str().unwrap()]) || {
                    std::thread::sleep(std::time::Duration::from_millis(100));
                    false
                }
            };
            assert!((0..100).any(is_unmounted));
        }
    }
}

impl Drop for Layers {
    fn drop(&mut self) {
        for mounted in self.mounts.iter().rev() {
            has("umount", &["--lazy", mounted.to_str().unwrap()]);
        }
    }
}

/// The fleet of a directory `nodes`.
fn fleet(folder: &Path) -> Fleet {
    let store = DirectoryStore::open(folder.join("nodes")).unwrap();
    Fleet::new(store).space(SPACE).unwrap().window(SECOND).unwrap().wait(20 * SECOND).on_lost(|_| {})
}

/// Makes a fleet, one of whose node IDs has been used.
fn make(folder: &Path) {
    let store = DirectoryStore::open(folder.join("nodes")).unwrap();
    assert_eq!(init(&store, SPACE, 8).unwrap(), Init::Begun);
    let node = fleet(folder).join_as(3).unwrap();
    node.generator(scru160::Options::new()).unwrap().generate().unwrap();
    node.release().unwrap();
}

fn use_it(node: Node) {
    let ids = node.generator(scru160::Options::new()).unwrap();
    wait_until(|| node.status().renewals > 1);
    ids.generate().unwrap();
    node.release().unwrap();
}

/// No process takes a node ID there, whichever and however often it tries.
fn assert_is_refused(folder: &Path, case: &str) {
    for node_id in [Some(3), Some(0), Some(5), None, Some(3), None] {
        let joined = match node_id {
            Some(node_id) => fleet(folder).join_as(node_id),
            None => fleet(folder).join(),
        };
        let message = joined.expect_err(case).to_string();
        assert!(message.contains("overlay") && message.contains("in a volume"), "{case}: {message}");
    }
}

#[test]
fn no_process_joins_a_fleet_in_a_layer_that_other_mounts_have_too() {
    let mut count = 0;
    for options in
        ["", ",xino=on", ",index=on", ",metacopy=on", ",redirect_dir=on", ",redirect_dir=off", ",volatile"]
    {
        let mut layers = Layers::new();
        let image = layers.image();
        make(&image);
        let Some(one) = layers.mount("one", &image, options) else { continue };
        let Some(two) = layers.mount("two", &image, options) else { continue };
        assert_is_refused(&one, options);
        assert_is_refused(&two, options);
        // Where there is no overlay, the fleet goes on.
        use_it(fleet(&image).join_as(3).unwrap());
        count += 1;
    }
    println!("{count} options");
}

#[test]
fn no_process_joins_a_copy_of_a_layer_that_something_else_made() {
    // The first write into the folder makes the copy.
    for write in ["ids", "5.lock", "3.lock", "7.0.tmp", ".."] {
        let mut layers = Layers::new();
        let image = layers.image();
        make(&image);
        let Some(one) = layers.mount("one", &image, "") else { return };
        let path = one.join("nodes").join(SPACE).join(write);
        if write == ".." {
            fs::write(one.join("nodes/other"), "").unwrap();
        } else {
            fs::write(path, "").unwrap();
        }
        assert_is_refused(&one, write);
    }
}

#[test]
fn no_process_joins_if_the_upper_layer_is_on_another_disk() {
    let mut layers = Layers::new();
    let image = layers.image();
    make(&image);
    let disk = layers.folder.path().join("one");
    fs::create_dir(&disk).unwrap();
    if !has("mount", &["-t", "tmpfs", "none", disk.to_str().unwrap()]) {
        return;
    }
    layers.mounts.push(disk);
    let Some(one) = layers.mount("one", &image, "") else { return };
    assert_is_refused(&one, "an upper layer in memory");
}

/// A container has its own upper layer, and keeps it when it starts again. An image that is made of it does not.
#[test]
fn a_fleet_that_was_made_in_an_upper_layer_works_there_and_is_refused_above_it() {
    let mut layers = Layers::new();
    let image = layers.image();
    let Some(one) = layers.mount("one", &image, "") else { return };
    make(&one);
    use_it(fleet(&one).join_as(3).unwrap());
    layers.unmount();
    let one = layers.mount("one", &image, "").unwrap();
    use_it(fleet(&one).join_as(3).unwrap());
    use_it(fleet(&one).join().unwrap());
    layers.unmount();

    let lower = layers.upper("one");
    for name in ["two", "three"] {
        let mounted = layers.mount(name, &lower, "").unwrap();
        assert_is_refused(&mounted, name);
    }
}

/// A swap alone notices it, too: nothing is written.
#[test]
fn the_first_write_into_a_folder_of_a_lower_layer_is_refused() {
    let mut layers = Layers::new();
    let image = layers.image();
    make(&image);
    let Some(one) = layers.mount("one", &image, "") else { return };
    let store = DirectoryStore::open(one.join("nodes")).unwrap();
    let before = store.read(SPACE).unwrap().records;
    let next = Record::new(8, 9, Some(Holder::new("a", "1")), 1);
    for (node_id, expected) in [(3, before.get(&3)), (5, None)] {
        let mut layers = Layers::new();
        let one = layers.mount("one", &image, "").unwrap();
        let store = DirectoryStore::open(one.join("nodes")).unwrap();
        let error = store.swap(SPACE, node_id, expected, &next).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Shape, "{error}");
        assert!(error.to_string().contains("expected the same folder after a write into it"), "{error}");
        assert!(store.read(SPACE).unwrap().records.is_empty());
    }
}
