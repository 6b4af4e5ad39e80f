//! The TypeScript about the specifications in the package and in the page. `cargo xtask layouts` writes it from their
//! descriptions.

use crate::generated;
use sortid::{__with_type as with_type, Field, Role, SortableId, Spec};
use std::{any, fmt::Write as _};

const HEAD: &str = "// Written by `cargo xtask layouts` from the descriptions in the crates.\n\n";

/// The types of [`fields`].
const TYPES: &str = "import type { SpecName } from 'sortid/manual';

/** The meaning of a field decides its colour and pattern. */
export type Hue = 'time' | 'count' | 'random' | 'random2' | 'node' | 'check' | 'fixed' | 'kind';

export interface FieldInfo {
  /** The name in a few words. */
  label: string;
  hue: Hue;
  /** A sentence about the content. */
  meaning: string;
  /** The section of the specification. */
  section: string;
}

/** What the crates say about a specification. */
export interface Described {
  bits: number;
  fields: Record<string, FieldInfo>;
}

";

/// A text in single quotes, as the formatter of the TypeScript writes it.
fn quoted(text: &str) -> String {
    assert!(!text.contains(['\\', '\n']), "{text}");
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}

/// A name of a member. Only one that is not an identifier has quotes.
fn member(name: &str) -> String {
    if name.contains('-') { quoted(name) } else { name.to_owned() }
}

/// The names of the specifications, in the order of their numbers in the module.
fn names() -> String {
    let list = |separator: &str| {
        Spec::ALL.iter().map(|spec| quoted(spec.name())).collect::<Vec<_>>().join(separator)
    };
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "/** The name of a specification. */\nexport type SpecName = {};\n", list(" | "));
    let _ = writeln!(text, "/** The specifications, in the order of the module's numbers. */");
    let _ = writeln!(text, "export const SPECS: readonly SpecName[] = Object.freeze([{}]);\n", list(", "));
    let _ = writeln!(text, "/** The names of the specifications for people. */");
    let _ = writeln!(text, "export const TITLES: Readonly<Record<SpecName, string>> = Object.freeze({{");
    for spec in Spec::ALL {
        let _ = writeln!(text, "  {}: {},", member(spec.name()), quoted(spec.title()));
    }
    let _ = writeln!(text, "}});\n\n/** The number of bytes of an ID. */");
    let _ = writeln!(text, "export const BYTES: Readonly<Record<SpecName, number>> = Object.freeze({{");
    for &spec in Spec::ALL {
        let _ = writeln!(text, "  {}: {},", member(spec.name()), with_type!(spec, Id => Id::BYTES));
    }
    text + "});\n"
}

/// The class of a specification. It has the name of the type in Rust.
pub(crate) fn class(spec: Spec) -> &'static str {
    let path = with_type!(spec, Id => any::type_name::<Id>());
    path.rsplit("::").next().unwrap_or(path)
}

/// The file of each specification, and what needs all classes.
fn ids() -> String {
    let file = |spec: &Spec| quoted(&format!("./specs/{}.js", spec.name()));
    let mut text = HEAD.to_owned();
    for spec in Spec::ALL {
        let _ = writeln!(text, "import {{ {} }} from {};", class(*spec), file(spec));
    }
    text.push('\n');
    for spec in Spec::ALL {
        let _ = writeln!(text, "export * from {};", file(spec));
    }
    text.push_str("\n/** The class of each specification. */\nexport const CLASSES = Object.freeze({\n");
    for spec in Spec::ALL {
        let _ = writeln!(text, "  {}: {},", member(spec.name()), class(*spec));
    }
    let classes: Vec<_> = Spec::ALL.iter().map(|&spec| class(spec)).collect();
    let _ = writeln!(
        text,
        "}});\n\n/** An ID of any of the classes. */\nexport type AnyId = {};",
        classes.join(" | ")
    );
    text
}

/// The colour and the pattern of a field.
fn hue(role: Role) -> &'static str {
    match role {
        Role::Time => "time",
        Role::Count => "count",
        Role::Random => "random",
        Role::Node => "node",
        Role::Check => "check",
        Role::Kind => "kind",
        Role::Rest => "random2",
        _ => "fixed",
    }
}

/// A sentence.
fn sentence(about: &str) -> String {
    // A name such as CRC-32C stays as it is.
    let (first, rest) = about.split_at(1);
    format!("{}{rest}.", first.to_ascii_uppercase())
}

fn push_fields(fields: &[Field], text: &mut String) {
    for (index, field) in fields.iter().enumerate() {
        // Two fields of random bits side by side have different colours.
        let is_first_of_two = fields.get(index + 1).is_some_and(|next| next.role == field.role);
        let role = if is_first_of_two && field.role == Role::Random { Role::Rest } else { field.role };
        let name = field.name.trim_end_matches("_ms").trim_end_matches("_us").replace('_', " ");
        let _ = writeln!(text, "      {}: {{", field.name);
        let _ = writeln!(text, "        label: {},", quoted(&name));
        let _ = writeln!(text, "        hue: {},", quoted(hue(role)));
        let _ = writeln!(text, "        meaning: {},", quoted(&sentence(field.about)));
        let _ = writeln!(text, "        section: {},", quoted(field.section));
        text.push_str("      },\n");
    }
}

/// The bits and the fields of the specifications, for the page.
fn fields() -> String {
    let mut text = HEAD.to_owned() + TYPES;
    text.push_str("export const DESCRIBED: Record<SpecName, Described> = {\n");
    for &spec in Spec::ALL {
        let (bits, fields) = with_type!(spec, Id => (8 * Id::BYTES, Id::FIELDS));
        let _ = writeln!(text, "  {}: {{\n    bits: {bits},\n    fields: {{", member(spec.name()));
        push_fields(fields, &mut text);
        if spec == Spec::UlidFlake {
            // The field that only the scalable version has.
            push_fields(&sortid::ulid_flake::scalable::Scalable::FIELDS[fields.len()..], &mut text);
        }
        text.push_str("    },\n  },\n");
    }
    text + "};\n"
}

#[test]
fn the_typescript_has_the_descriptions() {
    let files = [
        ("package/src/names.ts", names()),
        ("package/src/ids.ts", ids()),
        ("inspector/src/fields.ts", fields()),
    ];
    for (path, text) in files {
        generated::check(&format!("bindings/web/{path}"), &text);
    }
}
