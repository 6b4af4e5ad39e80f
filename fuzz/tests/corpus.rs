//! Replays the vectors, the committed corpus, and the inputs that fuzzing found on this machine: with any toolchain, without
//! libFuzzer.

use sortid_fuzz::{TARGETS, Target, seeds};
use std::{fs, panic, path::Path};

#[test]
fn every_law_holds_for_its_vectors_and_its_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for Target { name: target, law, .. } in TARGETS {
        let mut inputs = [seeds::from_vectors(target), seeds::committed(target)].concat();
        for folder in ["corpus", "artifacts"] {
            let files = fs::read_dir(root.join(folder).join(target)).into_iter().flatten();
            inputs.extend(files.map(|file| fs::read(file.unwrap().path()).unwrap()));
        }
        for input in &inputs {
            let result = panic::catch_unwind(|| law(input));
            assert!(result.is_ok(), "{target}: {}", input.escape_ascii());
        }
        assert!(!inputs.is_empty(), "{target}");
        println!("{target}: {} inputs", inputs.len());
    }
}

#[test]
fn every_target_calls_the_law_of_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut targets: Vec<_> = files
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert_eq!(
                fs::read_to_string(&path).unwrap(),
                format!("#![cfg_attr(fuzzing, no_main)]\n\nsortid_fuzz::target!({name});\n")
            );
            name
        })
        .collect();
    let mut expected: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
    targets.sort_unstable();
    expected.sort_unstable();
    assert_eq!(targets, expected);
}
