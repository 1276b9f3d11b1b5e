//! Plans in the text of a model.
//!
//! A plan is a sequence of *groups*: pairs of parentheses with words and no parentheses between them, such as
//! `(place cup table)`. They may span lines, and commas count as blanks. Numbering, bullets, arrows, quotes, code
//! fences and an outer pair of parentheses are decoration. Case is ignored.
//!
//! * A `;` outside parentheses begins a comment to the end of its line: `; (lift) would be bad`. Directly after a
//!   closing parenthesis it separates steps: `(go); (take cup)`.
//! * A group whose first word is not an action's name can be prose: `Plan (safe version):`, `(go); (step 1)`. It is
//!   left out if a letter or a `;` stands before it on its line, outside parentheses. In other places it is an unknown
//!   action.
//! * A parenthesis with words that is never closed, or not before the next one opens, is a malformed step.
//! * In a text without any parenthesis, a line that begins with a number and a colon is a step: `1 : glove`.

/// Returns whether a character separates words.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// A step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group<'t> {
    /// The step with its parentheses; a numbered line has none, and an unclosed step only the first.
    pub text: &'t str,
    /// True if it is closed before another opens.
    pub closed: bool,
}

impl<'t> Group<'t> {
    /// Iterates over the words.
    pub fn words(self) -> impl Iterator<Item = &'t str> + Clone {
        let inner = self.text.strip_prefix('(').unwrap_or(self.text);
        let inner = if self.closed { inner.strip_suffix(')').unwrap_or(inner) } else { inner };
        inner.split(|c: char| is_blank(c) || c == ',').filter(|word| !word.is_empty())
    }
}

/// Returns the step of a line without parentheses: the text after its number and colon.
fn numbered(line: &str) -> Option<Group<'_>> {
    let (number, text) = line.split_once(':')?;
    let is_number = |number: &str| number.parse::<f64>().is_ok_and(f64::is_finite);
    let text = text.split(';').next().unwrap_or(text).trim_matches(is_blank);
    (is_number(number.trim_matches(is_blank)) && !text.is_empty()).then_some(Group { text, closed: true })
}

/// Returns the steps of a text.
pub(crate) fn groups<'t>(text: &'t str, is_action: &dyn Fn(&str) -> bool) -> Vec<Group<'t>> {
    if !text.contains('(') {
        return text.lines().filter_map(numbered).collect();
    }
    let mut groups: Vec<Group<'t>> = Vec::with_capacity(16);
    let mut open = None;
    // The earlier text of the line may make an unknown action prose.
    let (mut prose, mut opened_in_prose) = (false, false);
    let mut push = |text: &'t str, closed: bool, prose: bool| {
        let group = Group { text, closed };
        match group.words().next() {
            None => {}
            Some(first) if prose && !is_action(first) => {}
            Some(_) => groups.push(group),
        }
    };
    let (mut comment, mut closed_before) = (false, false);
    for (at, c) in text.char_indices() {
        let separates = std::mem::replace(&mut closed_before, c == ')');
        match c {
            '\n' => (prose, comment) = (false, false),
            _ if comment => {}
            ';' if open.is_none() && !separates => comment = true,
            '(' => {
                if let Some(start) = open {
                    push(&text[start..at], false, opened_in_prose);
                }
                (open, opened_in_prose) = (Some(at), prose);
            }
            ')' => {
                if let Some(start) = open.take() {
                    push(&text[start..=at], true, opened_in_prose);
                }
            }
            c if open.is_none() && (c.is_alphabetic() || c == ';') => prose = true,
            _ => {}
        }
    }
    if let Some(start) = open {
        push(&text[start..], false, opened_in_prose);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<String> {
        let known = ["go", "take"];
        let is_action = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let shown = |group: Group<'_>| {
            let words: Vec<&str> = group.words().collect();
            format!("{}{}", words.join(" "), if group.closed { "" } else { " [open]" })
        };
        groups(text, &is_action).into_iter().map(shown).collect()
    }

    #[test]
    fn decoration_is_no_part_of_a_plan() {
        for text in [
            "(go) (take cup)",
            "1. (go)\n2. (take cup)",
            "- (go)\r\n* ( take\tcup )",
            "```pddl\n(go)\n(take cup)\n```\nDone.",
            "[\"(go)\", \"(take cup)\"]",
            "((go) (take, cup))",
            "0: (go) [1]\n1: (take cup) [1]",
            "Plan (the safe one):\n(go) ; (step 1)\n(take cup) ; (step 2)",
            "; (take cup) alone would be bad\n(go) ; not (go) twice\n(take cup)\n; cost = 2 (unit cost)",
            "1 : go\n2 : take cup",
            "Plan:\n0: go ; first\r\n0.5: take, cup\n",
            "First (go), then (take cup) (as asked).",
            "(go); (take cup)",
            "(go) () ( ) (take cup)",
        ] {
            assert_eq!(steps(text), ["go", "take cup"], "{text}");
        }
    }

    #[test]
    fn what_may_be_a_step_is_never_left_out() {
        assert_eq!(steps("(go) (fly) (take cup)"), ["go", "fly", "take cup"]);
        assert_eq!(steps("1. (fly)"), ["fly"]);
        assert_eq!(steps("(go (take cup)"), ["go [open]", "take cup"]);
        assert_eq!(steps("(go) (take cup"), ["go", "take cup [open]"]);
        assert_eq!(steps("1 : fly\n2 : go"), ["fly", "go"]);
        assert_eq!(steps("1 : to begin with\n(go)"), ["go"], "there are parentheses");
        assert_eq!(steps("nothing) here"), Vec::<String>::new());
        assert_eq!(steps(""), Vec::<String>::new());
    }
}
