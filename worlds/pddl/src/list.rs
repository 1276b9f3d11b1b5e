//! Lists in parentheses, as PDDL writes them.

/// Returns a list in parentheses.
pub(crate) fn list(head: &str, parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = format!("({head}");
    for part in parts {
        text.push(' ');
        text.push_str(part.as_ref());
    }
    text + ")"
}
