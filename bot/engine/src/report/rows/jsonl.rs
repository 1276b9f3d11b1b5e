//! JSON lines: one object for every row, its keys in the order of the columns.

use std::io::{self, Write};

use serde::Serializer as _;
use serde::ser::SerializeMap as _;
use serde_json::Value;

use super::cell::{Column, RowWriter};

/// Writes JSON lines.
pub struct JsonLines<'a> {
    columns: Vec<Column>,
    out: &'a mut (dyn Write + Send),
}

impl<'a> JsonLines<'a> {
    /// Begins without a line.
    pub fn new(columns: Vec<Column>, out: &'a mut (dyn Write + Send)) -> Self {
        Self { columns, out }
    }
}

impl RowWriter for JsonLines<'_> {
    fn row(&mut self, values: Vec<Value>, _: &[usize]) -> io::Result<()> {
        let mut serializer = serde_json::Serializer::new(&mut *self.out);
        let mut map = serializer.serialize_map(Some(values.len()))?;
        for (column, value) in self.columns.iter().zip(&values) {
            map.serialize_entry(&column.name, value)?;
        }
        map.end()?;
        self.out.write_all(b"\n")
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}
