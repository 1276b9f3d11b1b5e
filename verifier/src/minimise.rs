//! Minimal subsets by deletion: the one minimiser behind conflicts, blocking sets, cores and implicants.

use std::convert::Infallible;

/// A minimal subset of a set that suffices for something, from one that does.
///
/// `suffices` is asked about ever smaller subsets. It gives a part that is enough, in the order it was given (the whole
/// subset, or less if it knows better), or `None` if the subset is not enough or it cannot tell. What suffices must be
/// monotone: more of the set suffices whenever less does. Then none of the result can be left out, unless `suffices` could
/// not tell.
///
/// ```
/// use ltlcrit_verifier::minimal_subset;
///
/// let adds_up = |numbers: &[u32]| (numbers.iter().sum::<u32>() >= 10).then(|| numbers.to_vec());
/// assert_eq!(minimal_subset(vec![1, 5, 2, 6, 3], adds_up), [2, 6, 3]);
/// ```
pub fn minimal_subset<T: Clone>(set: Vec<T>, mut suffices: impl FnMut(&[T]) -> Option<Vec<T>>) -> Vec<T> {
    match try_minimal_subset(set, |subset| Ok::<_, Infallible>(suffices(subset))) {
        Ok(minimal) => minimal,
        Err(never) => match never {},
    }
}

/// The same where asking may fail.
///
/// # Errors
/// The first error of `suffices`.
pub fn try_minimal_subset<T: Clone, E>(
    mut set: Vec<T>,
    mut suffices: impl FnMut(&[T]) -> Result<Option<Vec<T>>, E>,
) -> Result<Vec<T>, E> {
    let mut needed = 0;
    while needed < set.len() {
        let mut rest = set.clone();
        rest.remove(needed);
        match suffices(&rest)? {
            // What was needed before is needed in every smaller set, so it is still in front.
            Some(smaller) => set = smaller,
            None => needed += 1,
        }
    }
    Ok(set)
}

/// Whether a subset suffices.
pub(crate) enum Suffices<T> {
    /// Yes, and so does this part of it.
    Yes(Vec<T>),
    No,
    /// It cannot be told.
    Unknown,
}

/// The minimal subset that remains when what can be left out is left out one by one, from the back; and whether it could
/// be told of each whether it can.
///
/// Unlike [`minimal_subset`] it depends on nothing but *which* subsets suffice: the parts that `suffices` gives, and those
/// already `known`, only save questions.
pub(crate) fn canonical_subset<T: Copy + PartialEq>(
    mut set: Vec<T>,
    mut known: Vec<Vec<T>>,
    mut suffices: impl FnMut(&[T]) -> Suffices<T>,
) -> (Vec<T>, bool) {
    let mut minimal = true;
    for at in (0..set.len()).rev() {
        let left_out = set.remove(at);
        if known.iter().any(|part| part.iter().all(|one| set.contains(one))) {
            continue;
        }
        match suffices(&set) {
            Suffices::Yes(part) => known.push(part),
            Suffices::No => set.insert(at, left_out),
            Suffices::Unknown => {
                set.insert(at, left_out);
                minimal = false;
            }
        }
    }
    (set, minimal)
}
