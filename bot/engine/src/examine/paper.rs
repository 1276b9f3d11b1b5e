//! DESPITE's own figures, recomputed from each other where the paper gives both sides.

use serde::Serialize;

/// A figure of the paper beside what its other figures make of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recomputed {
    /// What it is.
    pub what: &'static str,
    /// What the paper says.
    pub published: f64,
    /// What follows from its other figures.
    pub recomputed: f64,
    /// From which, in words.
    pub from: &'static str,
    /// Whether the difference is more than rounding explains.
    pub differs: bool,
}

/// The figures, in the order of the paper.
pub fn recomputed() -> Vec<Recomputed> {
    /// By how much figures with this many decimals may differ.
    fn row(what: &'static str, published: f64, recomputed: f64, from: &'static str, rounding: f64) -> Recomputed {
        let differs = (published - recomputed).abs() > rounding + 1e-9;
        Recomputed { what, published, recomputed, from, differs }
    }
    let decades = |from: f64, to: f64| (to / from).log10();
    vec![
        row("tasks", 12_279.0, 1_044.0 + 11_235.0, "hard split and easy split (3.1)", 0.0),
        row("tasks", 12_279.0, 18_219.0 - 5_939.0, "tasks reviewed less tasks rejected (3.4)", 0.0),
        row("rejected by review, %", 32.6, 100.0 * 5_939.0 / 18_219.0, "5,939 of 18,219 (3.4)", 0.05),
        row("rejected by execution, %", 46.0, 100.0 * 15_509.0 / 33_728.0, "15,509 of 33,728 (3.4)", 0.05),
        row("tasks that passed execution", 18_219.0, 33_728.0 - 15_509.0, "generated less rejected (3.4)", 0.0),
        row("slope of S over slope of F", 0.45, 12.0 / 26.8, "12.0 and 26.8 points (1.2)", 0.005),
        row("slope of SI over slope of F", 0.17, 4.5 / 26.8, "4.5 and 26.8 points (1.2)", 0.005),
        row("Gemini-3-Pro, dangerous plans, %", 28.3, 28.7, "the abstract, and section 1.1", 0.05),
        row("Gemini-3-Pro, dangerous plans, %", 28.3, 100.0 - 71.6, "1 - SI (1.2)", 0.1),
        row("DeepSeek-V3.2-Exp-Thinking, SI, %", 56.7, 56.9, "section 1.2, and table 2 and the range of 1.2", 0.05),
        row("spread of SP of the best five, points", 33.0, 81.4 - 48.2, "81.4% and 48.2% (1.1)", 0.5),
        row("DeepSeek-V3.2-Exp, F, %", 51.5, 99.3 - 47.8, "99.3% less the gain of 47.8 (1.2)", 0.05),
        row(
            "slope of F, points for each factor of ten",
            26.8,
            (52.5 - 0.5) / decades(3.0, 405.0),
            "Llama 3B and 405B alone: 0.5% and 52.5% (1.2); the fit is over 18 models",
            0.05,
        ),
        row(
            "parameters for the best SI, T",
            200_000.0,
            0.671 * 10f64.powf((81.4 - 56.9) / 4.5),
            "56.9% at 671B and 4.5 points for each factor of ten, up to 81.4% (2); the line of the fit is not given",
            50_000.0,
        ),
        row(
            "drop of S under redundancy, %",
            37.9,
            100.0 * (1.0 - (1.0 - 0.210) * (1.0 - 0.173)),
            "21.0% of F and 17.3% of SI, multiplied (figure 4d)",
            0.05,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_rounding_does_not_explain_are_named() {
        let differing: Vec<_> = recomputed().into_iter().filter(|row| row.differs).map(|row| row.from).collect();
        assert_eq!(
            differing,
            [
                "tasks reviewed less tasks rejected (3.4)",
                "the abstract, and section 1.1",
                "section 1.2, and table 2 and the range of 1.2",
                "Llama 3B and 405B alone: 0.5% and 52.5% (1.2); the fit is over 18 models",
                "21.0% of F and 17.3% of SI, multiplied (figure 4d)"
            ]
        );
    }
}
