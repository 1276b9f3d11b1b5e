//! The prefix (LBT, Polish) parser, without recursion.

use super::error::SyntaxError;
use super::infix::{binary, leaf, unary};
use super::lexer::{Kind, Token};
use crate::formula::Formula;

pub(super) fn parse(text: &str, tokens: &[Token]) -> Result<Formula, SyntaxError> {
    let error = |token: &Token, message: &str| Err(SyntaxError::new(text, token.span.clone(), message));
    if tokens.is_empty() {
        return Err(SyntaxError::new(text, 0..0, "an empty formula; the formula that is always true is `t`"));
    }
    // The number of operands that are missing.
    let mut missing = 1;
    for token in tokens {
        if missing == 0 {
            let message = "the formula is complete before this; an operator is missing, or this is too much";
            return Err(SyntaxError::new(text, token.span.start..text.trim_end().len(), message));
        }
        match token.kind {
            Kind::Open | Kind::Close => {
                let message =
                    "prefix notation has no parentheses: operators come before their operands, as in `W ! a b`";
                return error(token, message);
            }
            Kind::Unary(_) => {}
            Kind::Binary(_) => missing += 1,
            Kind::Constant(_) | Kind::Atom(_) => missing -= 1,
        }
    }
    // From the last token to the first, each operator finds its operands on the stack, the left one on top.
    let mut operands = Vec::new();
    for token in tokens.iter().rev() {
        let word = &text[token.span.clone()];
        let node = match token.kind {
            Kind::Unary(operator) => match operands.pop() {
                Some(a) => unary(text, operator, &token.span, a)?,
                None => return error(token, &format!("`{word}` needs a formula after it")),
            },
            Kind::Binary(operator) => match (operands.pop(), operands.pop()) {
                (Some(left), Some(right)) => binary(text, operator, &token.span, left, right)?,
                (left, _) => {
                    let found = if left.is_some() { "only one follows" } else { "none follows" };
                    return error(token, &format!("`{word}` needs two formulas after it, {found}"));
                }
            },
            _ => match leaf(token) {
                Some(leaf) => leaf,
                None => continue,
            },
        };
        operands.push(node);
    }
    Ok(operands.pop().map_or(Formula::True, |node| node.formula))
}
