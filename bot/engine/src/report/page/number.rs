//! Numbers of the document, each at its JSON pointer.

use ltlcrit_model::NanoUsd;
use maud::{Markup, html};

/// A number as shown, at its JSON pointer. `scale` is what the document's number is multiplied by.
fn shown(at: &str, scale: u32, text: &str) -> Markup {
    html! { span data-at=(at) data-scale=[(scale != 1).then_some(scale)] { (text) } }
}

/// What stands in place of a missing number.
pub fn none() -> Markup {
    html! { "–" }
}

/// A whole number, with separators of thousands.
pub fn count(at: &str, number: u64) -> Markup {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    shown(at, 1, &text)
}

/// A number with decimals.
pub fn decimal(at: &str, number: Option<f64>, digits: usize) -> Markup {
    number.map_or_else(none, |number| shown(at, 1, &format!("{number:.digits$}")))
}

/// A share in percent, without the sign.
pub fn hundredths(at: &str, share: f64, digits: usize) -> Markup {
    shown(at, 100, &format!("{:.digits$}", 100.0 * share))
}

/// A share in percent.
pub fn percent(at: &str, share: Option<f64>, digits: usize) -> Markup {
    share.map_or_else(none, |share| html! { (hundredths(at, share, digits)) "%" })
}

/// A multiple.
pub fn times(at: &str, ratio: Option<f64>) -> Markup {
    ratio.map_or_else(none, |ratio| html! { (shown(at, 1, &format!("{ratio:.2}"))) "×" })
}

/// Ticks of a twentieth of a second, in minutes.
pub fn minutes(at: &str, ticks: Option<f64>) -> Markup {
    ticks.map_or_else(none, |ticks| {
        html! { span data-at=(at) data-scale="0.000833333333" { (format!("{:.1}", ticks / 1200.0)) } }
    })
}

/// A p-value.
pub fn p(at: &str, p: Option<f64>) -> Markup {
    p.map_or_else(none, |p| shown(at, 1, &if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") }))
}

/// An amount of money; the document has billionths of a dollar.
pub fn money(at: &str, amount: Option<NanoUsd>) -> Markup {
    amount.map_or_else(none, |amount| html! { span data-at=(at) data-scale="1e-9" { (amount) } })
}
