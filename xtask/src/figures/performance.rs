//! The table of `docs/performance.md` that is a whole record.

use super::{markdown::table, page::Page};
use crate::shell::Result;
use sortid_servers::records::Record;

/// The record that the page has. Its other numbers are written by hand.
const RECORD: &str = "fleet-cost";

/// Writes the table from the record.
pub(crate) fn write() -> Result {
    page()?.write()
}

fn page() -> Result<Page> {
    let mut page = Page::read("performance.md")?;
    let Record { columns, rows, .. } = Record::read(RECORD)?;
    page.replace(RECORD, &table(&columns, &rows))?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_page_is_that_of_the_record() {
        assert!(page().unwrap() == Page::read("performance.md").unwrap(), "copy the rows of the record");
    }
}
