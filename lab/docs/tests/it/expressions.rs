//! The SQL of `sortid-sql` that has expressions instead of functions. Each function is written out wherever it is used,
//! so the SQL is made from templates. `cargo xtask layouts` writes it.

use crate::generated;
use minijinja::{Environment, UndefinedBehavior, syntax::SyntaxConfig};
use std::fs;

/// The SQL that a template in `crates/sortid-sql/templates/` makes.
fn expanded(name: &str) -> String {
    let path = format!("{}/../../crates/sortid-sql/templates/{name}", env!("CARGO_MANIFEST_DIR"));
    let template = fs::read_to_string(path).unwrap();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().unwrap();
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let sql = environment.render_named_str(name, &template, ()).unwrap();
    // The macros leave empty lines before the SQL. Users read the file, so it has no comment about templates.
    format!("{}\n", sql.trim_start())
}

#[test]
fn the_expressions_are_those_of_the_templates() {
    for name in ["sqlite.sql", "mysql-column.sql"] {
        generated::check(&format!("crates/sortid-sql/sql/{name}"), &expanded(name));
    }
}
