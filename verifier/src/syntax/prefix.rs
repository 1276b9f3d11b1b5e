//! The prefix (LBT, Polish) parser, with an explicit stack.

use std::ops::Range;

use super::error::SyntaxError;
use super::infix::{Node, binary, leaf, unary};
use super::lexer::{Binary, Kind, Token, Unary};
use crate::formula::Formula;

/// An operator that waits for operands.
enum Waiting {
    Unary(Unary, Range<usize>),
    Binary(Binary, Range<usize>, Option<Node>),
}

pub(super) fn parse(text: &str, tokens: &[Token]) -> Result<Formula, SyntaxError> {
    let mut stack: Vec<Waiting> = Vec::new();
    for (position, token) in tokens.iter().enumerate() {
        let node = match &token.kind {
            Kind::Unary(operator) => {
                stack.push(Waiting::Unary(*operator, token.span.clone()));
                continue;
            }
            Kind::Binary(operator) => {
                stack.push(Waiting::Binary(*operator, token.span.clone(), None));
                continue;
            }
            Kind::Open | Kind::Close => {
                let message =
                    "prefix notation has no parentheses: operators come before their operands, as in `W ! a b`";
                return Err(SyntaxError::new(text, token.span.clone(), message));
            }
            Kind::Constant(_) | Kind::Atom(_) => leaf(token),
        };
        let Some(node) = node else { continue };
        if let Some(Node { formula, .. }) = apply(text, &mut stack, node)? {
            return match tokens.get(position + 1) {
                None => Ok(formula),
                Some(extra) => {
                    let message = "the formula is complete before this; an operator is missing, or this is too much";
                    Err(SyntaxError::new(text, extra.span.start..text.trim_end().len(), message))
                }
            };
        }
    }
    Err(match stack.pop() {
        None => SyntaxError::new(text, 0..0, "an empty formula; the formula that is always true is `t`"),
        Some(Waiting::Unary(_, span)) => {
            let message = format!("`{}` needs a formula after it", &text[span.clone()]);
            SyntaxError::new(text, span, message)
        }
        Some(Waiting::Binary(_, span, left)) => {
            let found = if left.is_some() { "only one follows" } else { "none follows" };
            let message = format!("`{}` needs two formulas after it, {found}", &text[span.clone()]);
            SyntaxError::new(text, span, message)
        }
    })
}

/// Gives a complete formula to the waiting operators; returns the whole formula when no operator waits.
fn apply(text: &str, stack: &mut Vec<Waiting>, mut node: Node) -> Result<Option<Node>, SyntaxError> {
    loop {
        node = match stack.pop() {
            None => return Ok(Some(node)),
            Some(Waiting::Unary(operator, span)) => unary(text, operator, &span, node)?,
            Some(Waiting::Binary(operator, span, Some(left))) => binary(text, operator, &span, left, node)?,
            Some(Waiting::Binary(operator, span, None)) => {
                stack.push(Waiting::Binary(operator, span, Some(node)));
                return Ok(None);
            }
        };
    }
}
