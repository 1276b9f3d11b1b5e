//! The lexical engine: translates sentences by a grammar, without a model.

use ltlcrit_verifier::Formula;

use crate::connective::{Split, splits};
use crate::domain::over;
use crate::engine::{Choice, Engine, EngineError, EngineInfo, Refusal, Segment, Translation};
use crate::frames::is_frame_word;
use crate::grammar::Grammar;
use crate::index::Index;
use crate::parse::Parse;
use crate::quantifier::quantified;
use crate::sound;
use crate::words::{MAX_SENTENCE, MAX_WORDS, Token, is_grammar, is_participle, tokens};

/// Maximum number of readings in a question to a person.
const MAX_READINGS: usize = 16;

/// The engine.
pub struct Lexical<'a> {
    index: Index<'a>,
}

/// A segment with its words and its readings.
struct Read {
    text: String,
    parses: Vec<Parse>,
}

impl<'a> Lexical<'a> {
    /// Creates an engine over a lexicon.
    pub fn new(lexicon: &'a crate::lexicon::Lexicon) -> Self {
        Self { index: Index::new(lexicon) }
    }

    /// The lexicon.
    pub fn lexicon(&self) -> &'a crate::lexicon::Lexicon {
        self.index.lexicon()
    }

    /// Translates a sentence.
    ///
    /// # Errors
    /// Words that are not understood, several readings, or a formula that is valid or unsatisfiable.
    pub fn translate(&self, sentence: &str) -> Result<Translation, Refusal> {
        let length = Refusal::Length { bytes: sentence.len() };
        if sentence.len() > MAX_SENTENCE {
            return Err(length);
        }
        let all = tokens(sentence);
        if all.is_empty() || all.len() > MAX_WORDS {
            return Err(length);
        }
        let grammar = Grammar::new(&self.index, &all);
        let mut segments: Vec<Segment> = Vec::new();
        let mut before: Option<Parse> = None;
        let parts: Vec<&[Token]> =
            all.split(|token| token.is(".") || token.is(";")).filter(|part| !part.is_empty()).collect();
        for (at, part) in parts.iter().enumerate() {
            let read = self.segments(&grammar, sentence, part, before.as_ref(), 0);
            if self.index.is_out_of_work() {
                let why = Some("there are too many ways to read it; split it into sentences".to_owned());
                return Err(Refusal::NotUnderstood { segment: text(sentence, part), why });
            }
            for one in read.ok_or_else(|| self.refusal(sentence, part))? {
                match one.parses.as_slice() {
                    [parse] => {
                        let mut segment =
                            Segment::new(one.text.clone(), &parse.formula, &parse.grounded, self.lexicon());
                        segment.over.clone_from(&parse.over);
                        sound::check(&segment.formula, self.lexicon())?;
                        sound::check_counts(&one.text, &parse.formula, self.lexicon())?;
                        segments.push(segment);
                        before = Some(parse.clone());
                    }
                    several => {
                        let choice = |parse: &Parse| Choice {
                            words: parse
                                .grounded
                                .iter()
                                .map(|(_, name)| name.to_string())
                                .collect::<Vec<_>>()
                                .join(", "),
                            segment: Segment::new(one.text.clone(), &parse.formula, &parse.grounded, self.lexicon()),
                        };
                        let rest =
                            parts[at + 1..].iter().map(|part| text(sentence, part)).collect::<Vec<_>>().join(". ");
                        let choices = several.iter().map(choice).collect();
                        return Err(Refusal::Ambiguous { segment: one.text, choices, before: segments, rest });
                    }
                }
            }
        }
        let translation = Translation { sentence: sentence.to_owned(), segments };
        sound::check(&translation.formula(), self.lexicon())?;
        Ok(translation)
    }

    /// Splits a sentence into segments at commas and "and"; the whole sentence may be one segment. If a condition may
    /// apply to both parts, the sentence is one segment with several readings.
    fn segments(
        &self,
        grammar: &Grammar<'_>,
        sentence: &str,
        part: &[Token],
        before: Option<&Parse>,
        depth: usize,
    ) -> Option<Vec<Read>> {
        let mut whole = self.readings(grammar, part, before);
        if depth > 6 {
            return (!whole.is_empty()).then(|| vec![Read { text: text(sentence, part), parses: whole }]);
        }
        for (at, next) in boundaries(part) {
            if self.index.is_out_of_work() {
                return None;
            }
            let (first, rest) = (&part[..at], &part[next..]);
            // "Do not a if b, and do not c": the last part may belong to the condition or stand alone.
            let has_word = part[at..next].iter().any(|token| !token.is(","));
            if !whole.is_empty() && !(has_word && begins_an_order(rest) && !splits(first).is_empty()) {
                continue;
            }
            let firsts = self.readings(grammar, first, before);
            if firsts.is_empty() {
                continue;
            }
            // A part after "but" without a verb is an exception.
            let is_exception = part[at..next].iter().any(|token| token.is("but")) && !rest[0].is("not");
            let known = firsts.first().map(|parse| match is_exception {
                true => Parse { main: Vec::new(), ..parse.clone() },
                false => parse.clone(),
            });
            let Some(more) = self.segments(grammar, sentence, rest, known.as_ref(), depth + 1) else { continue };
            let candidates = shared(first, rest, has_word && part[at].is(","));
            let may_be_shared = !candidates.is_empty();
            let shared = candidates.into_iter().find_map(|(first, rest)| {
                let firsts = self.readings(grammar, &first, before);
                let more = self.segments(grammar, sentence, &rest, firsts.first(), depth + 1)?;
                (!firsts.is_empty()).then_some((firsts, more))
            });
            if whole.is_empty() && shared.is_none() {
                // If the condition may apply to both parts but has no such reading, the sentence is ambiguous.
                if may_be_shared {
                    continue;
                }
                let read = Read { text: text(sentence, first), parses: firsts };
                return Some(std::iter::once(read).chain(more).collect());
            }
            let mut readings = match shared {
                Some((firsts, more)) => together(firsts, &more)?,
                None => Vec::new(),
            };
            readings.extend(together(firsts, &more)?);
            for reading in readings {
                if whole.iter().all(|known| known.formula != reading.formula) {
                    whole.push(reading);
                }
            }
            break;
        }
        (!whole.is_empty()).then(|| vec![Read { text: text(sentence, part), parses: whole }])
    }

    /// Returns all readings of a segment. A segment about every object of a kind is read once for each object.
    fn readings(&self, grammar: &Grammar<'_>, part: &[Token], before: Option<&Parse>) -> Vec<Parse> {
        let Some(quantified) = quantified(self.lexicon(), part) else { return grammar.parses(part, before) };
        if !quantified.is_plain {
            return Vec::new();
        }
        let mut all: Option<Parse> = None;
        let mut each = Vec::new();
        for (object, words) in &quantified.each {
            let parses = grammar.parses(words, before);
            match parses.as_slice() {
                // The object has no such proposition, for example a spoon cannot be opened.
                [] => {}
                [parse] => {
                    let grounded = parse.grounded.iter().map(|(_, name)| (quantified.words.clone(), name.clone()));
                    let parse = Parse { grounded: grounded.collect(), ..parse.clone() };
                    each.push((*object, parse.formula.clone()));
                    all = Some(match all {
                        None => parse,
                        Some(all) => all.and(&parse),
                    });
                }
                _ => return parses,
            }
        }
        // If an object has no such proposition, a law with a parameter could still constrain it.
        let is_complete = each.len() == quantified.each.len();
        // A class stands for several propositions, which a book knows only individually.
        let has_class = each.iter().any(|(_, formula)| self.lexicon().expand(formula) != *formula);
        let over = over(&quantified.kind, &each).filter(|_| is_complete && !has_class);
        all.into_iter().map(|parse| Parse { over: over.clone(), ..parse }).collect()
    }

    /// Returns the unknown words of a segment, or the reason why known words have no reading.
    fn refusal(&self, sentence: &str, part: &[Token]) -> Refusal {
        let is_known = |token: &Token| {
            let word = token.text.as_str();
            if token.is_name {
                return self.lexicon().term(word).is_some();
            }
            is_grammar(word) || is_frame_word(word) || self.index.is_word(word)
        };
        let mut words: Vec<String> =
            part.iter().filter(|token| !is_known(token)).map(|token| sentence[token.span.clone()].to_owned()).collect();
        words.dedup();
        let segment = text(sentence, part);
        if !words.is_empty() {
            return Refusal::UnknownWords { segment, words };
        }
        let is = |words: &[&str]| part.iter().any(|token| token.is_any(words));
        let permits = is(&["may", "can", "allowed", "permitted"]) && !is(&["not", "never", "only", "most"]);
        let why = permits.then(|| "a permission is not a law; say what must or must not be".to_owned());
        Refusal::NotUnderstood { segment, why }
    }

    /// Returns the propositions that a clause alone may mean, as formulas.
    pub fn clause(&self, words: &str) -> Vec<Formula> {
        let all = tokens(words);
        self.index.begin(&all);
        let mut found = Vec::new();
        for clause in crate::clause::clauses(&self.index, &all, &[]) {
            let formula = clause.formula();
            if !found.contains(&formula) {
                found.push(formula);
            }
        }
        found
    }
}

impl Engine for Lexical<'_> {
    fn info(&self) -> EngineInfo {
        EngineInfo { engine: "lexical", model: None, prompts: None }
    }

    async fn translate(&self, sentence: &str) -> Result<Translation, EngineError> {
        Ok(Lexical::translate(self, sentence)?)
    }
}

/// Combines the readings of several segments; `None` if they exceed the limit for a question.
fn together(first: Vec<Parse>, rest: &[Read]) -> Option<Vec<Parse>> {
    rest.iter().try_fold(first, |all, read| {
        let is_few = all.len() * read.parses.len() <= MAX_READINGS;
        let with = |one: &Parse| read.parses.iter().map(|more| one.clone().and(more)).collect::<Vec<_>>();
        is_few.then(|| all.iter().flat_map(with).collect())
    })
}

/// Returns the possible boundaries of two segments: the end of the first, and the start of the second.
fn boundaries(part: &[Token]) -> Vec<(usize, usize)> {
    let joins = |token: &Token| token.is("and") || token.is("but");
    let mut found = Vec::new();
    for at in (1..part.len()).filter(|at| joins(&part[*at]) || part[*at].is(",")) {
        let passed = part[at + 1..].iter().take_while(|token| joins(token) || token.is("also")).count();
        let next = at + 1 + passed;
        if next < part.len() && !lacks_its_subject(&part[next..]) && !part[at - 1].is(",") {
            found.push((at, next));
        }
    }
    found
}

/// Returns whether words begin like an order, so that they can stand alone.
fn begins_an_order(words: &[Token]) -> bool {
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|token| token.is_any(all));
    is(0, &["never", "always", "not"]) || is(0, &["do"]) && is(1, &["not", "never"])
}

/// Returns whether words describe a person named before: "have not been in the kitchen", "are in it".
fn lacks_its_subject(words: &[Token]) -> bool {
    match words {
        [first, ..] if first.is_any(&["are", "is", "was", "were", "has", "am"]) => true,
        [have, second, ..] if have.is("have") => {
            second.is("not") || second.is("never") || second.is("been") || is_participle(&second.text)
        }
        _ => false,
    }
}

/// Copies the condition of one segment to the other, if a hearer may take it so. The condition is at the beginning and
/// ends at a comma or anywhere, or it is at the end without a comma before "and".
fn shared(first: &[Token], rest: &[Token], is_set_off: bool) -> Vec<(Vec<Token>, Vec<Token>)> {
    let leading = |split: &Split<'_>| split.main.as_ptr_range().end == first.as_ptr_range().end;
    if splits(rest).is_empty() && splits(first).iter().any(leading) {
        let condition = |split: Split<'_>| {
            let condition = &first[..first.len() - split.main.len()];
            (first.to_vec(), [condition, rest].concat())
        };
        return splits(first).into_iter().filter(leading).map(condition).collect();
    }
    if is_set_off || !splits(first).is_empty() {
        return Vec::new();
    }
    let trailing = splits(rest).into_iter().filter(|it| it.main.as_ptr_range().start == rest.as_ptr_range().start);
    trailing.map(|split| ([first, &rest[split.main.len()..]].concat(), rest.to_vec())).collect()
}

/// Returns the words of a part of a sentence, as written.
fn text(sentence: &str, part: &[Token]) -> String {
    let start = part.iter().map(|token| token.span.start).min().unwrap_or(0);
    let end = part.iter().map(|token| token.span.end).max().unwrap_or(0);
    sentence.get(start..end).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::MAX_WORK;
    use crate::lexicon::{Lexicon, Object, Term};

    fn lexicon() -> Lexicon {
        let term = |name: &str, meaning: &str, is_action| Term {
            name: name.into(),
            meaning: meaning.into(),
            is_action,
            phrases: Vec::new(),
        };
        let nouns = ["barn", "shed", "gate", "cup"];
        let object = |name: &&str| Object {
            name: (*name).into(),
            nouns: vec![(*name).into()],
            kinds: vec!["thing".into()],
            predicates: Vec::new(),
        };
        let mut terms = vec![term("mine(coal)", "mine coal", true), term("mail", "send a mail", true)];
        for noun in nouns {
            terms.push(term(&format!("at({noun})"), &format!("the robot is in the {noun}"), false));
            terms.push(term(&format!("open({noun})"), &format!("the {noun} is open"), false));
            terms.push(term(&format!("touched({noun})"), &format!("the {noun} has been touched"), false));
        }
        Lexicon::new("farm", terms, nouns.iter().map(object).collect(), Vec::new())
    }

    const WORDS: &str = "never always do not don't must may only if when once after before until unless without while and or then but , \
        at least most 2 times it you robot the a any every thing barn shed gate cup coal go to visit touch open close is be are has \
        been in mine means neither nor both so that false first again later immediately";

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_words_are_read_within_the_budget(
            words in prop::collection::vec(prop::sample::select(WORDS.split_whitespace().collect::<Vec<_>>()), 1..60),
        ) {
            let lexicon = lexicon();
            let engine = Lexical::new(&lexicon);
            let _ = engine.translate(&words.join(" "));
            prop_assert!(engine.index.work() < MAX_WORK + 1_000, "{}", engine.index.work());
        }
    }

    #[test]
    fn what_no_frame_reads_is_said_in_the_words_of_the_vocabulary() {
        let lexicon = lexicon();
        let engine = Lexical::new(&lexicon);
        let law = engine.translate("never send a mail while the gate is open").unwrap().formula();
        assert_eq!(law.to_string(), "G(open(gate) -> X !mail)");
    }

    #[test]
    fn what_can_be_split_anywhere_is_read_within_the_budget() {
        let lexicon = lexicon();
        let engine = Lexical::new(&lexicon);
        for words in [
            "mine coal and",
            "coal or",
            "coal ,",
            "coal , and",
            "mine coal and then",
            "if the gate is open",
            "if it is open and",
        ] {
            let count = 116 / words.split(' ').count();
            let sentence = format!("never {}coal", format!("{words} ").repeat(count));
            let _ = engine.translate(&sentence);
            assert!(engine.index.work() < MAX_WORK + 1_000, "{words}: {}", engine.index.work());
        }
    }
}
