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
