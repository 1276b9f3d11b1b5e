//! Every format preserves every text, and no program reads it as something else.

use std::fs::File;
use std::io::Write as _;

use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use ::parquet::record::RowAccessor as _;
use serde_json::Value;

use super::*;

const COLUMNS: [(&str, Kind); 5] = [
    ("name", Kind::Text),
    ("count", Kind::Count),
    ("place", Kind::Integer),
    ("share", Kind::Number),
    ("goal", Kind::Flag),
];

/// Texts that some reader may take for markup, a formula or another cell.
const HOSTILE: [&str; 9] = [
    "plain",
    "=HYPERLINK(\"http://127.0.0.1\")",
    " +1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "a,b;\"c\"\r\nd",
    "<script>alert(1)</script> [x](http://127.0.0.1) | `code` **b**",
    "\\input{/etc/passwd} 100% $x$ #1 a_b {c} ~^ --- \"q\"",
    "\u{202e}reversed\u{7}",
    "",
];

fn written(format: RowFormat) -> Vec<u8> {
    let columns = COLUMNS.iter().map(|(name, kind)| Column { name: (*name).to_owned(), kind: *kind }).collect();
    let mut bytes = Vec::new();
    let mut writer = format.writer("", columns, &mut bytes).unwrap();
    for (index, text) in HOSTILE.iter().enumerate() {
        let count = if index == 0 { Value::from(u64::MAX) } else { Value::Null };
        writer.row(vec![(*text).into(), count, (-3).into(), 0.25.into(), (index == 0).into()], &[]).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

fn read(bytes: &[u8]) -> SerializedFileReader<File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    SerializedFileReader::new(file).unwrap()
}

#[test]
fn texts_stay_texts() {
    let shown = [RowFormat::Csv, RowFormat::Jsonl, RowFormat::Markdown, RowFormat::Latex]
        .map(|format| format!("{format:?}\n{}", String::from_utf8(written(format)).unwrap().replace('\r', "<CR>")));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_json_line_has_every_value() {
    let lines = String::from_utf8(written(RowFormat::Jsonl)).unwrap();
    for (line, text) in lines.lines().zip(HOSTILE) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&value["name"], &value["place"], &value["share"]), (&text.into(), &(-3).into(), &0.25.into()));
    }
    assert_eq!(lines.lines().count(), HOSTILE.len());
}

#[test]
fn parquet_is_read_back() {
    let reader = read(&written(RowFormat::Parquet));
    assert_eq!(reader.metadata().file_metadata().num_rows(), HOSTILE.len() as i64);
    for (index, (row, text)) in reader.get_row_iter(None).unwrap().zip(HOSTILE).enumerate() {
        let row = row.unwrap();
        assert_eq!((row.get_string(0).unwrap().as_str(), row.get_long(2).unwrap()), (text, -3));
        assert_eq!((row.get_double(3).unwrap(), row.get_bool(4).unwrap()), (0.25, index == 0));
        assert_eq!(row.get_ulong(1).ok(), (index == 0).then_some(u64::MAX));
    }
}

#[test]
fn many_rows_are_several_row_groups() {
    let column = || vec![Column { name: "count".to_owned(), kind: Kind::Count }];
    let mut bytes = Vec::new();
    let mut writer = RowFormat::Parquet.writer("", column(), &mut bytes).unwrap();
    for number in 0..25_000_u64 {
        writer.row(vec![number.into()], &[]).unwrap();
    }
    writer.finish().unwrap();
    let reader = read(&bytes);
    assert_eq!(reader.metadata().num_row_groups(), 3);
    let last = reader.get_row_iter(None).unwrap().last().unwrap().unwrap();
    assert_eq!(last.get_ulong(0).unwrap(), 24_999);
    // A value of another kind is an error.
    let mut bytes = Vec::new();
    let mut writer = RowFormat::Parquet.writer("", column(), &mut bytes).unwrap();
    writer.row(vec!["text".into()], &[]).unwrap();
    assert!(writer.finish().unwrap_err().to_string().contains("`text` of the column `count`"));
    // A file without rows is valid.
    let mut bytes = Vec::new();
    RowFormat::Parquet.writer("", column(), &mut bytes).unwrap().finish().unwrap();
    assert_eq!(read(&bytes).metadata().num_row_groups(), 0);
}
