//! `sortid-glue MODULE FOLDER` writes the module and its JavaScript, an ES module, to the folder.

#![forbid(unsafe_code)]

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let [module, folder] = &args[..] else {
        eprintln!("sortid-glue: expected MODULE FOLDER, found {} arguments", args.len());
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.remove_name_section(true).remove_producers_section(true);
    let made = bindgen.input_path(module).web(true).and_then(|bindgen| {
        // The package itself gives the address of the module.
        bindgen.omit_default_module_path(true).typescript(true).generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sortid-glue: {error:#}");
            ExitCode::FAILURE
        }
    }
}
