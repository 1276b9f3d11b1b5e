//! A `longtable` with the rules of `booktabs`, for inclusion in a document.

use std::io::{self, Write};

use ltlcrit_worlds::is_unshown;
use serde_json::Value;

use super::cell::{Column, RowWriter};

/// Writes a table.
pub struct Latex<'a> {
    columns: Vec<Column>,
    out: &'a mut (dyn Write + Send),
}

impl<'a> Latex<'a> {
    /// Writes the caption and the heading, which every page repeats.
    pub fn new(caption: &str, columns: Vec<Column>, out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let shape: String = columns.iter().map(|column| if column.is_numeric() { 'r' } else { 'l' }).collect();
        let names: Vec<String> = columns.iter().map(|column| escaped(&column.name)).collect();
        let packages =
            "% \\usepackage{booktabs}\n% \\usepackage{longtable}\n% Names in other scripts than Latin need LuaLaTeX.";
        writeln!(out, "{packages}\n\\begin{{longtable}}{{{shape}}}")?;
        let heading = format!("\\toprule\n{} \\\\\n\\midrule", names.join(" & "));
        if !caption.is_empty() {
            writeln!(out, "\\caption{{{}}} \\\\\n{heading}\n\\endfirsthead", escaped(caption))?;
        }
        writeln!(out, "{heading}\n\\endhead\n\\bottomrule\n\\endlastfoot")?;
        Ok(Self { columns, out })
    }
}

impl RowWriter for Latex<'_> {
    fn row(&mut self, values: Vec<Value>, best: &[usize]) -> io::Result<()> {
        let field = |(place, (column, value)): (usize, (&Column, &Value))| {
            // Papers print a zero before the point.
            let text = column.rounded(value).replace("<.", "<0.");
            let text = match text.strip_prefix('-').filter(|_| column.is_numeric()) {
                Some(text) => format!("$-${}", escaped(text)),
                None => escaped(&text),
            };
            if best.contains(&place) { format!("\\textbf{{{text}}}") } else { text }
        };
        let cells: Vec<String> = self.columns.iter().zip(&values).enumerate().map(field).collect();
        // LaTeX would take a bracket at the start of a row for the optional argument of the preceding line break.
        writeln!(self.out, "{{}}{} \\\\", cells.join(" & "))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        writeln!(self.out, "\\end{{longtable}}")?;
        self.out.flush()
    }
}

/// Escapes a text so that LaTeX prints it unchanged.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // In the default encoding of fonts there is no straight double quote.
            '"' => out.push_str("\\char34{}"),
            '\'' => out.push_str("\\textquotesingle{}"),
            '`' => out.push_str("\\textasciigrave{}"),
            // LaTeX would join two hyphens into a dash.
            '-' if out.ends_with('-') => out.push_str("{-}"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_unshown(c) => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
