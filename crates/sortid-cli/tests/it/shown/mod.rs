//! The `console` blocks of a page: commands, and what they print. The tests of `engines/` use it, too.

pub(crate) struct Shown {
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) output: Vec<String>,
}

/// The commands of a page.
pub(crate) fn commands(page: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = vec![];
    let mut is_console = false;
    for (index, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if is_console {
            match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => {
                    shown.push(Shown { line: index + 1, command: command.to_owned(), output: vec![] });
                }
                (None, Some(last)) => last.output.push(line.to_owned()),
                (None, None) => panic!("line {}: there is no command above", index + 1),
            }
        }
    }
    shown
}

/// Whether a line is as shown, with its `…`.
pub(crate) fn is_like(found: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        None => found == shown,
        Some((before, after)) => found.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().any(|(at, _)| is_like(&rest[at..], after)) || after.is_empty()
        }),
    }
}

pub(crate) fn are_like(found: &[&str], shown: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((any, rest)) if any == "…" => {
            (0..=found.len()).any(|skipped| are_like(&found[skipped..], rest))
        }
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, others)| is_like(first, line) && are_like(others, rest))
        }
    }
}
