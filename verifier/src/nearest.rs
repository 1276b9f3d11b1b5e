//! The known name that a misspelt one resembles.

/// The longest name, in characters, for which a similar one is looked for.
const LONGEST_GUESSED: usize = 80;

/// The known name that a misspelt one most resembles, if any differs in at most a quarter of its characters; the first
/// of several. Letter case is ignored. Names of more than 80 characters resemble none.
///
/// ```
/// use ltlcrit_verifier::syntax::nearest_name;
///
/// assert_eq!(nearest_name("strenght", ["status", "strength"]), Some("strength"));
/// assert_eq!(nearest_name("colour", ["status", "strength"]), None);
/// ```
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > LONGEST_GUESSED {
        return None;
    }
    let wanted = name.to_lowercase();
    let tolerance = match length {
        0..3 => 0,
        length => (length / 4).clamp(1, 5),
    };
    known
        .into_iter()
        // Comparing names takes time; their lengths alone rule most of them out.
        .filter(|known| known.chars().count().abs_diff(length) <= tolerance)
        .map(|known| (strsim::damerau_levenshtein(&wanted, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= tolerance)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
