//! The model engine: asks a language model for each stage and checks each answer.
//!
//! A wrong answer goes back to the model with its error, a bounded number of times. Only formulas over the vocabulary
//! that some run satisfies and some run violates reach a book.

mod answers;
mod prompts;

use std::collections::HashMap;
use std::sync::Arc;

use answers::Expression;
use ltlcrit_model::{ChatModel, ChatRequest, ModelError, Speaker};
use ltlcrit_verifier::Formula;
use ltlcrit_verifier::before_and_after::SameLetter;

use crate::choices::choices;
use crate::engine::{Choice, Engine, EngineError, EngineInfo, Refusal, Segment, Translation};
use crate::lexicon::{Lexicon, Term};
use crate::sound;
use crate::words::{MAX_SENTENCE, MAX_WORDS, singular, tokens};

/// Maximum number of attempts for one stage of one segment.
pub(crate) const MAX_ATTEMPTS: usize = 3;
/// Maximum number of propositions in a prompt.
const MAX_SHOWN: usize = 150;
/// Maximum number of readings of an ambiguous segment.
const MAX_CHOICES: usize = 8;
/// Maximum length of the wrong answer in a retry, in bytes.
const MAX_REPEATED: usize = 500;

/// The engine.
pub struct ModelEngine<'a, M> {
    lexicon: &'a Lexicon,
    model: M,
}

impl<'a, M: ChatModel> ModelEngine<'a, M> {
    /// Creates an engine over a lexicon that asks this model.
    pub fn new(lexicon: &'a Lexicon, model: M) -> Self {
        Self { lexicon, model }
    }

    /// Asks until an answer passes its check, and repeats the last error in the prompt.
    async fn ask<T>(
        &self,
        mut request: ChatRequest,
        check: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, EngineError> {
        let mut why = String::new();
        for _ in 0..MAX_ATTEMPTS {
            let reply = self.model.ask(&request).await?;
            let answer = reply.answer(None);
            match answer.clone().and_then(&check) {
                Ok(found) => return Ok(found),
                Err(wrong) => why = wrong,
            }
            let said = ltlcrit_model::answer::cut(answer.unwrap_or(reply.text()), MAX_REPEATED);
            request.messages.truncate(2);
            request.messages.push(prompts::message(Speaker::Assistant, said));
            let again = format!("That answer cannot be used: {why}. Answer again, with the JSON object alone.");
            request.messages.push(prompts::message(Speaker::User, again));
        }
        let name = self.model.info().name;
        let why = format!("`{name}` gave no usable answer in {MAX_ATTEMPTS} attempts; the last: {why}");
        Err(Refusal::Engine { why }.into())
    }

    async fn segments(&self, sentence: &str) -> Result<Vec<String>, EngineError> {
        let text = format!("Sentence: {}", quoted(sentence));
        let request = prompts::question(prompts::SEGMENTS, text, "segments", prompts::segments_schema());
        self.ask(request, |answer| answers::segments(answer, sentence)).await
    }

    /// Asks for the expressions of a segment with their possible propositions.
    async fn expressions(&self, segment: &str) -> Result<Vec<Expression>, EngineError> {
        let shown = self.shown(segment);
        if shown.is_empty() {
            let words = tokens(segment).into_iter().map(|token| token.text).collect();
            return Err(Refusal::UnknownWords { segment: segment.to_owned(), words }.into());
        }
        let lines: Vec<String> = shown.iter().map(|term| format!("{}: {}", term.name, term.meaning)).collect();
        let text = format!("Propositions:\n{}\n\nSegment: {}", lines.join("\n"), quoted(segment));
        let names: Vec<&str> = shown.iter().map(|term| &*term.name).collect();
        let request = prompts::question(prompts::GROUNDING, text, "expressions", prompts::expressions_schema(&names));
        self.ask(request, |answer| answers::expressions(answer, segment, &names)).await
    }

    /// Returns the propositions for the prompt: all of a small world, and otherwise those that share most words with the
    /// segment.
    fn shown(&self, segment: &str) -> Vec<&Term> {
        let all = self.lexicon.terms();
        if all.len() <= MAX_SHOWN {
            return all.iter().collect();
        }
        let words = |text: &str| -> Vec<String> { tokens(text).iter().map(|token| singular(&token.text)).collect() };
        const COMMON: [&str; 12] = ["the", "a", "is", "in", "on", "at", "you", "robot", "has", "been", "to", "of"];
        let said = words(segment);
        let nouns: HashMap<&str, Vec<String>> = self
            .lexicon
            .objects()
            .iter()
            .map(|object| (&*object.name, object.nouns.iter().flat_map(|noun| words(noun)).collect()))
            .collect();
        let shares = |term: &Term| {
            let mut own: Vec<String> = words(&term.meaning);
            let objects = term.name.split(['(', ')', ',', ' ']).filter_map(|object| nouns.get(object));
            own.extend(objects.flatten().cloned());
            said.iter().filter(|word| !COMMON.contains(&word.as_str()) && own.contains(word)).count()
        };
        let mut shown: Vec<(usize, &Term)> =
            all.iter().map(|term| (shares(term), term)).filter(|(n, _)| *n > 0).collect();
        // A stable sort: propositions with equally many shared words keep the lexicon's order.
        shown.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        shown.into_iter().take(MAX_SHOWN).map(|(_, term)| term).collect()
    }

    /// Asks for the formula of a segment under one grounding.
    async fn lifted(&self, segment: &str, grounded: &[(String, Arc<str>)]) -> Result<Segment, EngineError> {
        let mut text = segment.to_owned();
        let mut kinds = Vec::new();
        let mut placeholders: Vec<(String, Arc<str>)> = Vec::new();
        for (words, name) in grounded {
            let known = placeholders.iter().find(|(_, known)| known == name).map(|(letter, _)| letter.clone());
            let letter = known.clone().unwrap_or_else(|| format!("{}1", char::from(b'A' + placeholders.len() as u8)));
            if let Some(at) = text.to_lowercase().find(&words.to_lowercase())
                && text.is_char_boundary(at)
                && text.is_char_boundary(at + words.len())
            {
                text.replace_range(at..at + words.len(), &letter);
            }
            if known.is_none() {
                let Some(term) = self.lexicon.term(name) else { continue };
                let kind = if term.is_action { "an action" } else { "a state" };
                let meaning = &term.meaning;
                kinds.push(format!(
                    "{letter} is {kind} that means {}, and stands for {}.",
                    quoted(meaning),
                    quoted(words)
                ));
                placeholders.push((letter, name.clone()));
            }
        }
        let letters: Vec<String> = placeholders.iter().map(|(letter, _)| letter.clone()).collect();
        let question = format!("{} Segment: {}", kinds.join(" "), quoted(&text));
        let request = prompts::question(prompts::LIFTED, question, "formula", prompts::formula_schema());
        let formula = self.ask(request, |answer| self.grounded(answer, segment, &letters, &placeholders)).await?;
        Ok(Segment::new(segment, &formula, grounded, self.lexicon))
    }

    fn grounded(
        &self,
        answer: &str,
        segment: &str,
        letters: &[String],
        placeholders: &[(String, Arc<str>)],
    ) -> Result<Formula, String> {
        let lifted = answers::formula(answer, letters)?;
        let formula = lifted.with_atoms(&mut |letter| {
            let known = placeholders.iter().find(|(known, _)| **known == **letter);
            Formula::Atom(known.map_or(letter.clone(), |(_, name)| name.clone()))
        });
        let checked = sound::check(&formula, self.lexicon);
        let checked = checked.and_then(|()| sound::check_counts(segment, &formula, self.lexicon));
        checked.map_err(|refusal| refusal.to_string())?;
        let vocabulary = self.lexicon.vocabulary_of(&formula.atoms()).map_err(|error| error.to_string())?;
        let judged = SameLetter::find(&formula, &vocabulary).map_err(|error| error.to_string())?;
        match judged {
            Some(_) => Err("it judges an action by states after it; a condition is about the letter before, as in \
                            G(!B1 -> X !A1)"
                .to_owned()),
            None => Ok(formula),
        }
    }

    async fn segment(&self, segment: &str) -> Result<Result<Segment, Vec<Choice>>, EngineError> {
        let expressions = self.expressions(segment).await?;
        let unknown: Vec<String> =
            expressions.iter().filter(|one| one.propositions.is_empty()).map(|one| one.words.clone()).collect();
        if !unknown.is_empty() {
            return Err(Refusal::UnknownWords { segment: segment.to_owned(), words: unknown }.into());
        }
        let grounding = |one: &Expression| {
            one.propositions.iter().map(|name| (one.words.clone(), name.clone())).collect::<Vec<_>>()
        };
        let groundings = choices(expressions.iter().map(grounding), MAX_CHOICES);
        if let [only] = groundings.as_slice() {
            return Ok(Ok(self.lifted(segment, only).await?));
        }
        let mut choices = Vec::new();
        for grounding in &groundings {
            let names: Vec<&str> = grounding.iter().map(|(_, name)| &**name).collect();
            choices.push(Choice { words: names.join(", "), segment: self.lifted(segment, grounding).await? });
        }
        Ok(Err(choices))
    }
}

impl<M: ChatModel> Engine for ModelEngine<'_, M> {
    fn info(&self) -> EngineInfo {
        EngineInfo { engine: "model", model: Some(self.model.info().to_string()), prompts: Some(prompts::hash()) }
    }

    async fn translate(&self, sentence: &str) -> Result<Translation, EngineError> {
        if sentence.len() > MAX_SENTENCE || sentence.trim().is_empty() || tokens(sentence).len() > MAX_WORDS {
            return Err(Refusal::Length { bytes: sentence.len() }.into());
        }
        let parts = self.segments(sentence).await?;
        let mut segments = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match self.segment(part).await? {
                Ok(segment) => segments.push(segment),
                Err(choices) => {
                    let rest = parts[at + 1..].join(". ");
                    return Err(Refusal::Ambiguous { segment: part.clone(), choices, before: segments, rest }.into());
                }
            }
        }
        let translation = Translation { sentence: sentence.to_owned(), segments };
        sound::check(&translation.formula(), self.lexicon)?;
        Ok(translation)
    }
}

impl From<ModelError> for EngineError {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

/// Quotes a text as a JSON string, so that its content cannot end it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
