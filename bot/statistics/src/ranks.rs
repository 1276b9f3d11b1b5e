//! Ranks of a sample; ties share their mean rank.

/// The ranks of a sample.
pub(crate) struct Ranks {
    /// The rank of each value, starting at 1; equal values share the mean of their ranks.
    pub ranks: Vec<f64>,
    /// The sum of `t^3 - t` over groups of `t` equal values: 0 without ties.
    pub ties: f64,
}

impl Ranks {
    /// Ranks finite values.
    pub fn of(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut ranks = Self { ranks: vec![0.0; values.len()], ties: 0.0 };
        let mut before = 0;
        for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
            let size = group.len() as f64;
            for index in group {
                ranks.ranks[*index] = before as f64 + (size + 1.0) / 2.0;
            }
            ranks.ties += size.powi(3) - size;
            before += group.len();
        }
        ranks
    }
}
