//! The cheapest choice of columns that covers all rows: fewest columns, then least cost, then most weight.

/// The most steps of the search; after them the best choice found so far is taken.
const MOST_STEPS: usize = 200_000;

/// A candidate of the cover.
#[derive(Clone, Debug)]
pub(super) struct Column<'a> {
    pub cost: u32,
    pub weight: u64,
    /// The rows it covers, ascending.
    pub rows: &'a [usize],
}

/// A choice of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Which, ascending.
    pub columns: Vec<usize>,
    /// Whether no other is better.
    pub exact: bool,
}

/// The objective of a choice; smaller is better.
type Worth = (usize, u32, std::cmp::Reverse<u64>);

/// The best choice that covers rows `0..rows`, each of which some column covers.
pub(super) fn cheapest(columns: &[Column<'_>], rows: usize) -> Choice {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    // Wide columns first, cheap ones first among them: a good choice is found early.
    order.sort_by_key(|&at| {
        let Column { cost, weight, rows } = &columns[at];
        (std::cmp::Reverse(rows.len()), *cost, std::cmp::Reverse(*weight), at)
    });
    let order = undominated(columns, order);
    let mut covering: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for &column in &order {
        columns[column].rows.iter().for_each(|&row| covering[row].push(column));
    }
    let widest = order.first().map_or(1, |&column| columns[column].rows.len().max(1));
    let mut search = Search {
        columns,
        covering,
        widest,
        covered: vec![0; rows],
        chosen: Vec::new(),
        best: None,
        steps: 0,
        exact: true,
    };
    search.extend(rows);
    let mut chosen = search.best.map(|(_, chosen)| chosen).unwrap_or_default();
    chosen.sort_unstable();
    Choice { columns: chosen, exact: search.exact }
}

/// Columns that no other makes superfluous by covering as much for no more.
fn undominated(columns: &[Column<'_>], order: Vec<usize>) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let column = &columns[at];
        let dominated = kept.iter().map(|other| &columns[*other]).any(|other| {
            other.cost <= column.cost
                && other.weight >= column.weight
                && column.rows.iter().all(|row| other.rows.binary_search(row).is_ok())
        });
        if !dominated {
            kept.push(at);
        }
    }
    kept
}

struct Search<'a> {
    columns: &'a [Column<'a>],
    /// By row, the columns that cover it, in the order in which to try them.
    covering: Vec<Vec<usize>>,
    widest: usize,
    /// By row, how many chosen columns cover it.
    covered: Vec<u32>,
    chosen: Vec<usize>,
    best: Option<(Worth, Vec<usize>)>,
    steps: usize,
    exact: bool,
}

impl Search<'_> {
    fn worth(&self) -> Worth {
        let sum = |of: fn(&Column<'_>) -> u64| self.chosen.iter().map(|&at| of(&self.columns[at])).sum::<u64>();
        let cost = u32::try_from(sum(|column| column.cost.into())).unwrap_or(u32::MAX);
        (self.chosen.len(), cost, std::cmp::Reverse(sum(|column| column.weight)))
    }

    fn extend(&mut self, open: usize) {
        self.steps += 1;
        if open == 0 {
            let worth = self.worth();
            if self.best.as_ref().is_none_or(|(best, _)| worth < *best) {
                self.best = Some((worth, self.chosen.clone()));
            }
            return;
        }
        if let Some(((count, cost, _), _)) = &self.best {
            if self.steps > MOST_STEPS {
                self.exact = false;
                return;
            }
            let least = self.chosen.len() + self.least_more(open);
            if least > *count || (least == *count && self.worth().1 >= *cost) {
                // As few columns, and already as dear: any more makes it dearer, or it covers nothing new.
                return;
            }
        }
        // The row with the fewest ways to cover it.
        let row =
            (0..self.covered.len()).filter(|row| self.covered[*row] == 0).min_by_key(|row| self.covering[*row].len());
        let Some(row) = row else { return };
        for at in 0..self.covering[row].len() {
            let column = self.covering[row][at];
            self.chosen.push(column);
            let mut fewer = open;
            for &row in self.columns[column].rows {
                fewer -= usize::from(self.covered[row] == 0);
                self.covered[row] += 1;
            }
            self.extend(fewer);
            self.columns[column].rows.iter().for_each(|&row| self.covered[row] -= 1);
            self.chosen.pop();
        }
    }

    /// No fewer columns than this cover what is open: rows no two of which one column covers, or all rows by the widest.
    fn least_more(&self, open: usize) -> usize {
        let mut blocked = vec![false; self.covered.len()];
        let mut apart = 0;
        for row in 0..self.covered.len() {
            if self.covered[row] > 0 || blocked[row] {
                continue;
            }
            apart += 1;
            for &column in &self.covering[row] {
                self.columns[column].rows.iter().for_each(|&other| blocked[other] = true);
            }
        }
        apart.max(open.div_ceil(self.widest))
    }
}
