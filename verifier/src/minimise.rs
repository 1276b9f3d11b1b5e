//! Minimal subsets by deletion, for conflicts, blocking sets, cores and implicants.

use std::convert::Infallible;

/// Returns a minimal sufficient subset of a sufficient set.
///
/// `suffices` is called on smaller and smaller subsets. It returns a sufficient part of the subset in the given order
/// (the whole subset, or a smaller part if it knows one). It returns `None` if the subset is not sufficient or the
/// question is undecided. It must be monotone: every superset of a sufficient set is sufficient. Then no element of the
/// result can be left out, unless `suffices` was undecided.
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

/// Returns the same as [`minimal_subset`], with a question that may fail.
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
            // An element that was needed before is needed in every smaller set, so it is still in front.
            Some(smaller) => set = smaller,
            None => needed += 1,
        }
    }
    Ok(set)
}
