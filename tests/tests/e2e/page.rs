//! Parses the page of a report.

use serde_json::Value;

/// A page.
pub struct Page(String);

impl Page {
    pub fn new(html: String) -> Self {
        Self(html)
    }

    pub fn html(&self) -> &str {
        &self.0
    }

    /// Returns the texts between two marks.
    fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(from).skip(1).map(move |rest| rest.split(to).next().unwrap())
    }

    /// Returns the embedded document.
    pub fn document(&self) -> Value {
        let mark = "<script id=\"document\" type=\"application/json\">";
        let documents: Vec<&str> = Self::between(&self.0, mark, "</script>").collect();
        assert_eq!(documents.len(), 1);
        serde_json::from_str(documents[0]).unwrap()
    }

    /// Returns the page without its style and document.
    fn body(&self) -> &str {
        Self::between(&self.0, "<main>", "</main>").next().unwrap()
    }

    /// Returns the text of a piece of the page.
    fn plain(piece: &str) -> String {
        let mut text = String::new();
        for part in piece.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        }
        // The ampersand comes last, because it begins the other entities.
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    }

    /// Returns the text of the page.
    pub fn text(&self) -> String {
        Self::plain(self.body())
    }

    /// Returns the rows of all tables, cell by cell.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let cells = |row| Self::between(row, "<td", "</td>").map(|cell| Self::plain(&format!("<{cell}"))).collect();
        Self::between(self.body(), "<tr", "</tr>").map(cells).collect()
    }

    /// Checks that every number with a pointer equals the document's, as rounded on the page. Checks that numeric cells
    /// of tables contain only such numbers. Returns their count.
    #[track_caller]
    pub fn check_numbers(&self, document: &Value) -> usize {
        let mut checked = 0;
        for span in Self::between(self.body(), "<span data-at=\"", "</span>") {
            let (head, shown) = span.split_once('>').unwrap();
            let pointer = head.split('"').next().unwrap();
            let scale: f64 =
                head.split("data-scale=\"").nth(1).map_or(1.0, |it| it.trim_end_matches('"').parse().unwrap());
            let value = document.pointer(&Self::plain(pointer)).and_then(Value::as_f64);
            let value = scale * value.unwrap_or_else(|| panic!("{pointer} is no number of the document"));
            if let Some(limit) = shown.strip_prefix("&lt;") {
                assert!(value < format!("0{limit}").parse().unwrap(), "{pointer}: {shown}, {value}");
            } else {
                let number = shown.replace([',', '$'], "");
                let decimals = number.split('.').nth(1).map_or(0, str::len) as i32;
                let difference = (number.parse::<f64>().unwrap() - value).abs();
                assert!(difference <= 0.500_001 * 0.1f64.powi(decimals), "{pointer}: {shown}, {value}");
            }
            checked += 1;
        }
        for cell in Self::between(self.body(), "<td class=\"n\">", "</td>") {
            let mut rest = String::new();
            let mut left = cell;
            while let Some((before, after)) = left.split_once("<span data-at=") {
                rest.push_str(before);
                left = after.split_once("</span>").unwrap().1;
            }
            rest.push_str(left);
            assert!(!rest.contains(|c: char| c.is_ascii_digit()), "a number without a place in the document: {cell}");
        }
        checked
    }

    /// Checks that no foreign text became markup: elements and attributes are only those of our own pages.
    #[track_caller]
    pub fn check_harmless(&self) {
        let lower = self.0.to_lowercase();
        assert_eq!(lower.matches("<script").count(), 1);
        for markup in ["<img", "<iframe", "<object", "<link", "<base", "<form", "@import"] {
            assert!(!lower.contains(markup), "{markup}");
        }
        // Links and arrows stay in the page.
        for (any, inner) in [("<a ", "<a href=\"#"), ("url(", "url(#")] {
            assert_eq!(lower.matches(any).count(), lower.matches(inner).count(), "{any}");
        }
        for tag in Self::between(&self.0, "<", ">") {
            for attribute in tag.split('"').step_by(2).skip(1) {
                assert!(!attribute.trim_start().starts_with("on"), "{tag}");
            }
        }
        let obeyed = |c: char| c.is_control() && c != '\n' || "\u{200b}\u{200e}\u{2028}\u{202e}\u{feff}".contains(c);
        assert!(!self.0.contains(obeyed));
    }
}
