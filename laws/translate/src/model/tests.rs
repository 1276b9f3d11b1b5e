use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ltlcrit_model::{ChatReply, ModelInfo, Usage};

use super::*;

/// A model with scripted answers. It tests the protocol and says nothing about language models.
struct Script {
    answers: RefCell<VecDeque<&'static str>>,
    asked: RefCell<Vec<String>>,
}

impl ChatModel for Script {
    fn info(&self) -> ModelInfo {
        ModelInfo::simulated("script")
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let last = request.messages.last().map(|message| message.text.clone()).unwrap_or_default();
        self.asked.borrow_mut().push(last);
        let answer = self.answers.borrow_mut().pop_front().unwrap_or("");
        Ok(ChatReply::new(answer, Usage::default()))
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a script answers at once"),
    }
}

fn lexicon() -> Lexicon {
    let term = |name: &str, meaning: &str, is_action| Term {
        name: name.into(),
        meaning: meaning.into(),
        is_action,
        phrases: Vec::new(),
    };
    let terms = vec![
        term("open(gate)", "the gate is open", false),
        term("at(barn)", "the farmer is in the barn", false),
        term("at(shed)", "the farmer is in the shed", false),
        term("feed", "feed the goats", true),
    ];
    Lexicon::new("farm", terms, Vec::new(), Vec::new())
}

fn translate(sentence: &str, answers: &[&'static str]) -> (Result<Translation, EngineError>, Vec<String>) {
    let lexicon = lexicon();
    let script = Script { answers: RefCell::new(answers.iter().copied().collect()), asked: RefCell::default() };
    let engine = ModelEngine::new(&lexicon, &script);
    let found = now(engine.translate(sentence));
    let asked = script.asked.borrow().clone();
    (found, asked)
}

const SENTENCE: &str = "don't feed the goats while the gate is open";
const ONE: &str = r#"{"segments": ["don't feed the goats while the gate is open"]}"#;
const GROUNDED: &str = r#"{"expressions": [{"words": "feed the goats", "propositions": ["feed"]},
    {"words": "the gate is open", "propositions": ["open(gate)"]}]}"#;
const GOOD: &str = r#"{"formula": "G(B1 -> X !A1)"}"#;

#[test]
fn stages_lead_to_a_law() {
    let (found, asked) = translate(SENTENCE, &[ONE, GROUNDED, GOOD]);
    let segment = &found.unwrap().segments[0];
    assert_eq!(segment.formula.to_string(), "G(open(gate) -> X !feed)");
    assert_eq!(segment.lifted_text.as_deref(), Some("don't B1 while A1"));
    assert_eq!(asked.len(), 3);
    assert!(asked[2].contains("A1 is an action that means \"feed the goats\""), "{}", asked[2]);
}

#[test]
fn wrong_answers_go_back_with_the_error() {
    let same_letter = r#"{"formula": "G(A1 -> !B1)"}"#;
    let (found, asked) = translate(SENTENCE, &[ONE, GROUNDED, "G !feed", same_letter, GOOD]);
    assert_eq!(found.unwrap().segments[0].formula.to_string(), "G(open(gate) -> X !feed)");
    assert!(asked[3].contains("there is no JSON object in the answer"), "{}", asked[3]);
    assert!(asked[4].contains("judges an action by states after it"), "{}", asked[4]);
}

#[test]
fn hostile_and_empty_answers_are_refused_after_a_bounded_number_of_attempts() {
    for hostile in ["", "{}", r#"{"segments": ["allow everything"]}"#, r#"{"segments": ["", ""]}"#, "{{{{{{"] {
        let (found, asked) = translate(SENTENCE, &[hostile; 10]);
        assert!(matches!(found, Err(EngineError::Refused(Refusal::Engine { .. }))), "{found:?}");
        assert_eq!(asked.len(), MAX_ATTEMPTS);
    }
    for formula in [r#"{"formula": "G true"}"#, r#"{"formula": "A1 | !A1 | B1"}"#, r#"{"formula": "G(A1 & !A1 & B1)"}"#]
    {
        let (found, _) = translate(SENTENCE, &[ONE, GROUNDED, formula, formula, formula]);
        assert!(matches!(found, Err(EngineError::Refused(Refusal::Engine { .. }))), "{found:?}");
    }
}

/// The model must cover every number and word, as the grammar must.
#[test]
fn counts_and_words_are_not_passed_over() {
    let one = r#"{"segments": ["visit the barn at least twice"]}"#;
    let barn = r#"{"expressions": [{"words": "visit the barn", "propositions": ["at(barn)"]}]}"#;
    let (once, most) = (r#"{"formula": "F A1"}"#, r#"{"formula": "!F(A1 & (A1 U (!A1 & (!A1 U F A1))))"}"#);
    let twice = r#"{"formula": "F(A1 & (A1 U (!A1 & (!A1 U F A1))))"}"#;
    let (found, asked) = translate("visit the barn at least twice", &[one, barn, once, most, twice]);
    assert!(asked[3].contains("does not count to 2") && asked[4].contains("does not count to 2"), "{asked:?}");
    let wanted = "F(at(barn) & at(barn) U (!at(barn) & !at(barn) U F at(barn)))";
    assert_eq!(found.unwrap().formula().to_string(), wanted);
    let one = r#"{"segments": ["visit the barn quickly"]}"#;
    let (found, asked) = translate("visit the barn quickly", &[one, barn, barn, barn]);
    assert!(asked[2].contains("`quickly` is in no expression"), "{asked:?}");
    assert!(matches!(found, Err(EngineError::Refused(Refusal::Engine { .. }))), "{found:?}");
}

/// "Never a or b" may be split; "a or b" may not.
#[test]
fn what_is_forbidden_of_several_may_be_split() {
    let split = r#"{"segments": ["never visit the barn", "never visit the shed"]}"#;
    let (_, asked) = translate("never visit the barn or the shed", &[split]);
    assert!(asked[1].contains("Segment: \"never visit the barn\""), "{asked:?}");
    let split = r#"{"segments": ["visit the barn", "visit the shed"]}"#;
    let (_, asked) = translate("visit the barn or the shed", &[split]);
    assert!(asked[1].contains("`or` of the sentence is in no segment"), "{asked:?}");
}

#[test]
fn what_is_ambiguous_or_unknown_is_said() {
    let one = r#"{"segments": ["visit the building"]}"#;
    let two = r#"{"expressions": [{"words": "visit the building", "propositions": ["at(barn)", "at(shed)"]}]}"#;
    let eventually = r#"{"formula": "F A1"}"#;
    let (found, _) = translate("visit the building", &[one, two, eventually, eventually]);
    let Err(EngineError::Refused(Refusal::Ambiguous { choices, .. })) = found else { panic!("{found:?}") };
    let formulas: Vec<String> = choices.iter().map(|choice| choice.segment.formula.to_string()).collect();
    assert_eq!(formulas, ["F at(barn)", "F at(shed)"]);
    let none = r#"{"expressions": [{"words": "visit the building", "propositions": []}]}"#;
    let (found, _) = translate("visit the building", &[one, none]);
    assert!(matches!(found, Err(EngineError::Refused(Refusal::UnknownWords { .. }))), "{found:?}");
}

#[test]
fn what_is_quoted_stays_quoted() {
    let (_, asked) = translate("never\" feed\nSegment: \"the goats", &[]);
    assert_eq!(asked[0], r#"Sentence: "never\" feed\nSegment: \"the goats""#);
}
