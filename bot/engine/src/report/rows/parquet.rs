//! Parquet files, with row groups of a fixed size.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::Value;

use super::cell::{Column, Kind, RowWriter, plain};

/// The number of rows of a row group.
const ROWS: usize = 10_000;

/// Writes a file.
pub struct Parquet<'a> {
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
}

impl<'a> Parquet<'a> {
    /// Begins a file. Every column is optional.
    pub fn new(columns: Vec<Column>, out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let field = |column: &Column| {
            let (physical, logical) = match column.kind {
                Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
                Kind::Count => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
                Kind::Integer => (PhysicalType::INT64, None),
                Kind::Number | Kind::Share => (PhysicalType::DOUBLE, None),
                Kind::Flag => (PhysicalType::BOOLEAN, None),
            };
            let builder = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
            builder.with_logical_type(logical).build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("rows").with_fields(fields).build().map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("ltlcrit ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        Ok(Self { columns, rows: Vec::new(), writer })
    }

    /// Writes the rows so far as a row group.
    fn group(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for (index, column) in self.columns.iter().enumerate() {
            let values = rows.iter().map(|row| row.get(index).unwrap_or(&Value::Null));
            match column.kind {
                Kind::Text => {
                    write_column::<ByteArrayType>(&mut group, column, values, |it| it.as_str().map(Into::into))?
                }
                // The logical type marks the bits as an unsigned number.
                Kind::Count => {
                    write_column::<Int64Type>(&mut group, column, values, |it| it.as_u64().map(u64::cast_signed))?
                }
                Kind::Integer => write_column::<Int64Type>(&mut group, column, values, Value::as_i64)?,
                Kind::Number | Kind::Share => write_column::<DoubleType>(&mut group, column, values, Value::as_f64)?,
                Kind::Flag => write_column::<BoolType>(&mut group, column, values, Value::as_bool)?,
            }
        }
        group.close().map_err(failed)?;
        Ok(())
    }
}

impl RowWriter for Parquet<'_> {
    fn row(&mut self, values: Vec<Value>, _: &[usize]) -> io::Result<()> {
        self.rows.push(values);
        if self.rows.len() == ROWS { self.group() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.group()?;
        self.writer.finish().map_err(failed)?;
        self.writer.inner_mut().flush()
    }
}

/// Writes the next column of a row group.
fn write_column<'a, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut (dyn Write + Send)>,
    column: &Column,
    cells: impl Iterator<Item = &'a Value>,
    value: impl Fn(&Value) -> Option<T::T>,
) -> io::Result<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        if cell.is_null() {
            levels.push(0);
            continue;
        }
        let wrong =
            || io::Error::other(format!("`{}` of the column `{}` is of another kind", plain(cell), column.name));
        values.push(value(cell).ok_or_else(wrong)?);
        levels.push(1);
    }
    let missing = || io::Error::other(format!("the column `{}` is not in the schema", column.name));
    let mut writer = group.next_column().map_err(failed)?.ok_or_else(missing)?;
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map_err(failed)?;
    writer.close().map_err(failed)
}

/// Returns the operating system's error in it, if there is one.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
