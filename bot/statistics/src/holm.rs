//! Holm's correction for several tests.

/// Corrects the p-values of tests for the family-wise error rate. The result has the order of the values.
///
/// The smallest of `n` values is multiplied by `n`, the next by `n - 1`, and so on; none becomes smaller than the one before it,
/// nor larger than 1. Source: S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of
/// Statistics 6 (1979).
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let (mut corrected, mut least) = (vec![0.0; values.len()], 0.0_f64);
    for (rank, place) in order.into_iter().enumerate() {
        least = least.max((values[place] * (values.len() - rank) as f64).min(1.0));
        corrected[place] = least;
    }
    corrected
}
