//! The known name that a misspelt name resembles.

/// Maximum length of a name, in characters, for which a similar one is searched.
const MAX_GUESSED: usize = 80;

/// Returns the known name that a misspelt one most resembles; the first of several. It prefers a name that differs only
/// in `obs_` or `action_` at its beginning. Otherwise, at most a quarter of the characters may differ; those of the prefix
/// are not counted unless the last word is the same. Letter case is ignored. Names of more than 80 characters resemble no
/// name.
///
/// ```
/// use ltlcrit_verifier::syntax::nearest_name;
///
/// assert_eq!(nearest_name("strenght", ["status", "strength"]), Some("strength"));
/// assert_eq!(nearest_name("colour", ["status", "strength"]), None);
/// assert_eq!(nearest_name("obs_has_coal", ["obs_has_log"]), None);
/// assert_eq!(nearest_name("obs_has_5x_log", ["obs_has_log"]), Some("obs_has_log"));
/// assert_eq!(nearest_name("held", ["obs_hold", "obs_held"]), Some("obs_held"));
/// assert_eq!(nearest_name("obs_at(hall)", ["at(bath)", "at(hall)"]), Some("at(hall)"));
/// ```
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > MAX_GUESSED {
        return None;
    }
    let wanted = name.to_lowercase();
    let tolerance = |length: usize| (length / 4).clamp(usize::from(length >= 3), 5);
    // The prefix says nothing of what is meant, the last word says most.
    let (loose, tight) = (tolerance(length), tolerance(bare(&wanted).chars().count()));
    let last = |name: &str| name.rsplit('_').next().map(str::to_lowercase);
    let wanted_last = last(&wanted);
    known
        .into_iter()
        .filter_map(|known| {
            if bare(known).eq_ignore_ascii_case(bare(&wanted)) {
                return Some((0, known));
            }
            // Comparing names takes time; their lengths alone exclude most of them.
            let is_near = known.chars().count().abs_diff(length) <= loose;
            is_near.then(|| (strsim::damerau_levenshtein(&wanted, &known.to_lowercase()), known))
        })
        .filter(|(distance, known)| *distance <= if last(known) == wanted_last { loose } else { tight })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Returns a proposition's name without its prefix `obs_` or `action_`.
fn bare(name: &str) -> &str {
    name.strip_prefix("obs_").or_else(|| name.strip_prefix("action_")).unwrap_or(name)
}
