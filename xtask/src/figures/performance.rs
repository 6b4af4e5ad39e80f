//! The tables of `docs/performance.md` that are whole records.

use super::{markdown::table, page::Page};
use crate::{records::Record, shell::Result};

/// The records that the page has. The other tables of the page are written by hand.
const RECORDS: [&str; 4] = ["growth-threads", "fleet-cost", "sql-by-time", "dependencies"];

/// Writes the tables from the records.
pub(crate) fn write() -> Result {
    page()?.write()
}

fn page() -> Result<Page> {
    let mut page = Page::read("performance.md")?;
    for name in RECORDS {
        let Record { columns, rows, .. } = Record::read(name)?;
        page.replace(name, &table(&columns, &rows))?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_page_are_those_of_the_records() {
        assert!(page().unwrap() == Page::read("performance.md").unwrap(), "copy the rows of the records");
    }
}
