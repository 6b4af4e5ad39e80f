//! `wasm-glue MODULE FOLDER` writes the module and its JavaScript for Node.js to the folder.

#![forbid(unsafe_code)]

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let [module, folder] = &args[..] else {
        eprintln!("wasm-glue: expected MODULE FOLDER, found {} arguments", args.len());
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(module).nodejs(true).and_then(|bindgen| {
        // As the command does. Otherwise the JavaScript for browsers does not find the module by itself.
        bindgen.omit_default_module_path(false).typescript(false).generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-glue: {error:#}");
            ExitCode::FAILURE
        }
    }
}
