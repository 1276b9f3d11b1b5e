//! Separates the answer of a reply from the reasoning around it.

use super::answer::first_object;

/// The marks that begin and end reasoning, in small letters.
const MARKS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
];
/// The channel mark of gpt-oss; the channel's name follows, and then [`MESSAGE`].
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
/// Maximum length of a channel's name, in bytes.
const MAX_CHANNEL: usize = 64;
/// The same channels after a server removed the special tokens.
const ANALYSIS: &str = "analysis";
const FINAL: &str = "assistantfinal";
/// Maximum number of texts that look like an object but are not.
const MAX_TRIES: usize = 32;

/// The position of a mark that begins or ends reasoning.
#[derive(Clone, Copy)]
struct Mark {
    begins: bool,
    start: usize,
    end: usize,
}

/// Returns the answer in a reply: the last text outside of reasoning that is not blank. `None` if the reply ends inside
/// reasoning.
///
/// A mark inside a string of a JSON object belongs to that string. An end without a beginning makes
/// everything before it reasoning, because the prompt of a chat template may contain the beginning.
pub(super) fn answer_of(reply: &str) -> Option<&str> {
    let (mut is_open, mut from, mut before) = (false, 0, "");
    let mut objects = Objects { reply, from: 0, tries: MAX_TRIES };
    for mark in marks(reply) {
        if !is_open && objects.contain(mark.start) {
            continue;
        }
        if mark.begins {
            let text = &reply[from..mark.start];
            before = if is_open || text.trim().is_empty() { before } else { text };
            is_open = true;
        } else {
            before = if is_open { before } else { "" };
            (is_open, from, objects.from) = (false, mark.end, mark.end);
        }
    }
    let after = reply[from..].trim_end_matches("<|return|>").trim_end_matches("<|end|>");
    match is_open {
        true => None,
        false if after.trim().is_empty() => Some(before),
        false => Some(after),
    }
}

/// The JSON objects in a text, searched only as far as needed.
struct Objects<'a> {
    reply: &'a str,
    from: usize,
    tries: usize,
}

impl Objects<'_> {
    fn contain(&mut self, at: usize) -> bool {
        while self.from < at && self.tries > 0 {
            let Some(start) = self.reply[self.from..at].find('{').map(|offset| self.from + offset) else { break };
            self.from = match first_object(&self.reply[start..]) {
                Some(length) => start + length,
                None => {
                    self.tries -= 1;
                    start + 1
                }
            };
        }
        self.from > at
    }
}

fn marks(reply: &str) -> Vec<Mark> {
    let bytes = reply.as_bytes();
    let is_at = |at: usize, mark: &str| {
        bytes.get(at..at + mark.len()).is_some_and(|text| text.eq_ignore_ascii_case(mark.as_bytes()))
    };
    let mut marks = Vec::new();
    let start = reply.len() - reply.trim_start().len();
    let glued = reply.get(start + ANALYSIS.len()..).and_then(|rest| rest.chars().next());
    if reply[start..].starts_with(ANALYSIS) && glued.is_some_and(|c| c.is_alphanumeric() || "({[".contains(c)) {
        marks.push(Mark { begins: true, start, end: start + ANALYSIS.len() });
    }
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(|byte| matches!(byte, b'<' | b'[' | b'a' | 0xe2)) {
        let start = at + offset;
        let plain = MARKS.iter().find_map(|(begin, end)| {
            let (begins, mark) = if is_at(start, begin) { (true, begin) } else { (false, end) };
            is_at(start, mark).then(|| Mark { begins, start, end: start + mark.len() })
        });
        let found = plain.or_else(|| match () {
            () if is_at(start, FINAL) => Some(Mark { begins: false, start, end: start + FINAL.len() }),
            () if is_at(start, CHANNEL) => Some(channel(reply, start)),
            () => None,
        });
        at = found.map_or(start + 1, |mark| mark.end);
        marks.extend(found);
    }
    marks
}

/// Reads the mark of a channel; all channels except `final` are reasoning.
fn channel(reply: &str, start: usize) -> Mark {
    let named = start + CHANNEL.len();
    let rest = &reply[named..];
    let mut texts = rest.as_bytes().windows(MESSAGE.len()).take(MAX_CHANNEL);
    let (name, length) = match texts.position(|text| text == MESSAGE.as_bytes()) {
        Some(length) => (&rest[..length], length + MESSAGE.len()),
        None => {
            let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            (&rest[..length], length)
        }
    };
    Mark { begins: !name.trim_start().starts_with("final"), start, end: named + length }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reasoning_is_cut_out_whatever_its_form() {
        for reply in [
            "(glove) (lift)",
            "<think>(lift) is short</think>(glove) (lift)",
            "<think>\n(lift)\n</think>\n\n(glove) (lift)",
            "<think></think>(glove) (lift)",
            "Let me see. <think>(lift)?</think> (glove) (lift)",
            "Sure! (lift) is quick.\n<think>\nbut risky\n</think>\n(glove) (lift)",
            "(lift) is risky, so</think>(glove) (lift)",
            "First (lift).\n</think>\n\n(glove) (lift)",
            "<think>(lift)<think>(serve)</think> or (serve)?\n</think>(glove) (lift)",
            "<think>I close with </think> in the end. (lift)\n</think>\n(glove) (lift)",
            "(glove) (lift)\n<think>Was that right?</think>",
            "(glove) (lift)<think>Once more: </think>\n",
            "<THINK>(lift)</THINK>(glove) (lift)",
            "<thinking>(lift)</thinking>(glove) (lift)",
            "<thought>(lift)</thought>(glove) (lift)",
            "<reasoning>(lift)</reasoning>(glove) (lift)",
            "<seed:think>(lift)</seed:think>(glove) (lift)",
            "[THINK](lift)[/THINK](glove) (lift)",
            "◁think▷(lift)◁/think▷(glove) (lift)",
            "<|begin_of_thought|>(lift)<|end_of_thought|>(glove) (lift)",
            "<|START_THINKING|>(lift)<|END_THINKING|>(glove) (lift)",
            "<|channel|>analysis<|message|>(lift)?<|end|><|start|>assistant<|channel|>final<|message|>(glove) (lift)",
            "<|channel|>analysis<|message|>(lift)<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>(glove) \
             (lift)<|return|>",
            "<|channel|>commentary<|message|>(lift)<|channel|>final<|message|>(glove) (lift)<|end|>",
            "<|channel|>final<|message|>(glove) (lift)",
            "analysisI could (lift) nowassistantfinal(glove) (lift)",
            "analysisWe (lift).assistantcommentaryNo.assistantfinal(glove) (lift)",
            "We could (lift).assistantfinal(glove) (lift)",
        ] {
            assert_eq!(answer_of(reply).map(str::trim), Some("(glove) (lift)"), "{reply}");
        }
    }

    #[test]
    fn reasoning_without_an_end_is_no_answer() {
        for reply in [
            "<think>first (lift) then maybe (serve)",
            "<think>",
            "Okay: <think>first (lift)",
            "Okay.\n<think> first (lift)",
            "Okay. <think> I could (lift)",
            "<think>(lift)</think>(glove)<think>or (serve)",
            "<thinking>(lift)",
            "[THINK](lift)",
            "◁think▷(lift)",
            "<seed:think>(lift)",
            "<reasoning>(lift) </think",
            "<|begin_of_thought|>(lift)",
            "<|channel|>analysis<|message|>(lift)<|end|>",
            "<|channel|>analysis(lift)",
            "analysisI could (lift) now",
        ] {
            assert_eq!(answer_of(reply), None, "{reply}");
        }
        for only_reasoning in ["<think>(lift)</think>", "(lift)</think>\n", "(lift) </think><think>(serve)</think>"] {
            assert_eq!(answer_of(only_reasoning), Some(""), "{only_reasoning}");
        }
    }

    #[test]
    fn words_of_an_answer_are_no_marks() {
        for answer in [
            "",
            "(analysis) (assistant-final)",
            "analysis: the log is near. {\"action\": \"action_mine_log\"}",
            "Analysis of the state: (glove) (lift)",
            "{\"analysis\": \"It dug.\", \"changes\": []}",
            "I thought about it [think twice], reasoning that (glove) comes first: (glove) (lift)",
            "{\"thought\": \"After </think> comes <think>\", \"action\": \"action_mine_log\"}",
            "Sure:\n```json\n{\"thought\": \"</think>(lift)\", \"action\": \"action_mine_log\",}\n```",
            "{braces} and {\"a\": {\"b\": [\"[THINK]\"]}} {\"c\": \"assistantfinal(lift)\"}",
        ] {
            assert_eq!(answer_of(answer), Some(answer));
        }
        let after = "<think>{\"a\": \"</think>{\"thought\": \"no </think>\", \"action\": \"x\"}";
        assert_eq!(answer_of(after), Some("{\"thought\": \"no </think>\", \"action\": \"x\"}"));
        assert_eq!(
            answer_of("{\"action\": \"a\"} needs a pickaxe.</think>{\"action\": \"b\"}"),
            Some("{\"action\": \"b\"}")
        );
    }

    #[test]
    fn hostile_replies_are_read_in_linear_time() {
        for piece in ["{\"a\": \"</think>", "{</think>", "<think>", "</think> a", "{\"", "[", "<|channel|>", "a\n"] {
            let _ = answer_of(&piece.repeat((1 << 18) / piece.len()));
        }
    }

    proptest! {
        /// Removes all reasoning between marks and keeps the whole answer after it.
        #[test]
        fn what_follows_reasoning_is_the_answer(
            pair in 0..MARKS.len(),
            before in "[^<\\[◁]{0,20}",
            reasoning in "[^<\\[◁]{0,60}",
            answer in "[^<\\[◁]{0,60}",
        ) {
            prop_assume!(!answer.trim().is_empty() && !before.contains("analysis"));
            let (begin, end) = MARKS[pair];
            let reply = format!("{before}\n{begin}{reasoning}{end}{answer}");
            prop_assert_eq!(answer_of(&reply), Some(&*answer));
            let cut = format!("{before}\n{begin}{reasoning}");
            prop_assert_eq!(answer_of(&cut), None);
            let unopened = format!("{reasoning}\n{end}\n{answer}");
            prop_assert_eq!(answer_of(&unopened), Some(&*format!("\n{answer}")));
        }

        /// Strings of a JSON answer may contain any mark.
        #[test]
        fn strings_are_left_alone(
            text in "(</?think>|\\[/?THINK\\]|◁think▷|assistantfinal|<\\|channel\\|>final<\\|message\\|>|[a-z\"\\\\{} ]){0,12}",
            before in "[A-Za-z. \n]{0,20}",
        ) {
            prop_assume!(!before.trim_start().starts_with("analysis"));
            let answer = format!("{before}{}", serde_json::json!({ "thought": text, "action": "action_mine_log" }));
            prop_assert_eq!(answer_of(&answer), Some(&*answer));
        }

        #[test]
        fn text_without_marks_is_the_answer(answer in "[^<\\[◁]{0,200}") {
            prop_assume!(!answer.trim().is_empty() && !answer.contains("analysis") && !answer.contains("assistantfinal"));
            prop_assert_eq!(answer_of(&answer), Some(&*answer));
        }

        #[test]
        fn separating_never_panics(reply in "(</?think>|\\[/?THINK\\]|◁/?think▷|analysis|assistantfinal|<\\|channel\\|>|final|\
            <\\|message\\|>|\\PC|[{}\"`. \n]){0,40}") {
            let answer = answer_of(&reply);
            prop_assert!(answer.is_none_or(|answer| reply.contains(answer)));
        }
    }
}
