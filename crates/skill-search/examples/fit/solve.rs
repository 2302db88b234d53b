//! Newton's method for the two kinds of regression, with features on one scale.

/// The rows of one request, with a mark for each row that is right.
pub(crate) struct Choice {
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) right: Vec<bool>,
    pub(crate) weight: f64,
}

/// A row with its label and its weight.
pub(crate) struct Row {
    pub(crate) features: Vec<f64>,
    pub(crate) is_hit: bool,
    pub(crate) weight: f64,
}

const STEPS: usize = 40;

/// Returns the weights under which the right rows of each request are most likely (conditional
/// logit).
pub(crate) fn choose(choices: &[Choice], ridge: f64) -> Vec<f64> {
    let n_features = choices.first().map_or(0, |choice| choice.rows[0].len());
    let total_weight: f64 = choices.iter().map(|choice| choice.weight).sum();
    descend(n_features, |weights| {
        let mut sums = Sums::new(n_features);
        for choice in choices {
            let weight = choice.weight / total_weight;
            let scores: Vec<f64> = choice.rows.iter().map(|row| dot(row, weights)).collect();
            let best = scores.iter().copied().fold(f64::MIN, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
            let total: f64 = shares.iter().sum();
            let right = shares
                .iter()
                .zip(&choice.right)
                .filter(|(_, is_right)| **is_right);
            let right: f64 = right.map(|(share, _)| share).sum();
            sums.loss += weight * (total / right).ln();
            let mut mean = vec![0.0; n_features];
            for (row, share) in choice.rows.iter().zip(&shares) {
                add(&mut mean, row, share / total);
            }
            for ((row, share), is_right) in choice.rows.iter().zip(&shares).zip(&choice.right) {
                let pull = share / total - if *is_right { share / right } else { 0.0 };
                add(&mut sums.gradient, row, pull * weight);
                let off: Vec<f64> = row.iter().zip(&mean).map(|(x, m)| x - m).collect();
                sums.curve(&off, share / total * weight);
            }
        }
        for (feature, weight) in weights.iter().take(n_features).enumerate() {
            sums.ridge(feature, *weight, ridge);
        }
        sums
    })
}

/// Returns the weights of a logistic regression, the bias last. Input and output are on the scale
/// of the features.
pub(crate) fn logistic(rows: &[Row], ridge: f64) -> Vec<f64> {
    let n_features = rows.first().map_or(0, |row| row.features.len());
    let (means, scales) = scale(rows, n_features);
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let parts = row.features.iter().zip(means.iter().zip(&scales));
            parts
                .map(|(x, (mean, scale))| (x - mean) / scale)
                .chain([1.0])
                .collect()
        })
        .collect();
    let total: f64 = rows.iter().map(|row| row.weight).sum();
    let weights = descend(n_features + 1, |weights| {
        let mut sums = Sums::new(n_features + 1);
        for (row, x) in rows.iter().zip(&scaled) {
            let z = dot(x, weights);
            let p = 1.0 / (1.0 + (-z).exp());
            let y = f64::from(u8::from(row.is_hit));
            let weight = row.weight / total;
            sums.loss += weight * (z.max(0.0) + (-z.abs()).exp().ln_1p() - y * z);
            add(&mut sums.gradient, x, weight * (p - y));
            sums.curve(x, weight * (p * (1.0 - p)).max(1e-6));
        }
        for (feature, weight) in weights.iter().take(n_features).enumerate() {
            sums.ridge(feature, *weight, ridge);
        }
        sums
    });
    let mut res: Vec<f64> = weights
        .iter()
        .zip(&scales)
        .map(|(w, scale)| w / scale)
        .collect();
    let shift: f64 = res.iter().zip(&means).map(|(w, mean)| w * mean).sum();
    res.push(weights[n_features] - shift);
    res
}

fn scale(rows: &[Row], n_features: usize) -> (Vec<f64>, Vec<f64>) {
    let n_rows = rows.len() as f64;
    let mut means = vec![0.0; n_features];
    for row in rows {
        add(&mut means, &row.features, 1.0 / n_rows);
    }
    let mut scales = vec![0.0; n_features];
    for row in rows {
        for (feature, scale) in scales.iter_mut().enumerate() {
            *scale += (row.features[feature] - means[feature]).powi(2) / n_rows;
        }
    }
    // A feature that never changes gets no weight.
    let scales = scales
        .iter()
        .map(|square| if *square > 1e-12 { square.sqrt() } else { 1e9 });
    (means, scales.collect())
}

/// Loss, gradient and curvature at one point.
struct Sums {
    loss: f64,
    gradient: Vec<f64>,
    hessian: Vec<Vec<f64>>,
}

impl Sums {
    fn new(n_features: usize) -> Self {
        Self {
            loss: 0.0,
            gradient: vec![0.0; n_features],
            hessian: vec![vec![0.0; n_features]; n_features],
        }
    }

    fn curve(&mut self, x: &[f64], weight: f64) {
        for (row, a) in self.hessian.iter_mut().zip(x) {
            if *a != 0.0 {
                add(row, x, a * weight);
            }
        }
    }

    fn ridge(&mut self, feature: usize, weight: f64, ridge: f64) {
        self.loss += ridge * weight * weight / 2.0;
        self.gradient[feature] += ridge * weight;
        self.hessian[feature][feature] += ridge;
    }
}

/// Takes Newton steps, each halved until it reduces the loss.
fn descend(n_features: usize, look: impl Fn(&[f64]) -> Sums) -> Vec<f64> {
    let mut weights = vec![0.0; n_features];
    let mut here = look(&weights);
    for _ in 0..STEPS {
        let step = solve(&here.hessian, &here.gradient);
        let mut length = 1.0;
        let next = loop {
            let tried: Vec<f64> = weights
                .iter()
                .zip(&step)
                .map(|(w, s)| w - length * s)
                .collect();
            let there = look(&tried);
            if there.loss < here.loss {
                break Some((tried, there));
            }
            length /= 2.0;
            if length < 1e-4 {
                break None;
            }
        };
        let Some((tried, there)) = next else { break };
        let gain = here.loss - there.loss;
        (weights, here) = (tried, there);
        if gain < 1e-9 {
            break;
        }
    }
    weights
}

/// Solves a linear system by Gaussian elimination with pivoting.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .zip(right)
        .map(|(row, right)| row.iter().copied().chain([*right]).collect())
        .collect();
    for column in 0..n {
        rows[column][column] += 1e-9;
        let best =
            (column..n).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column].clone();
        for row in rows.iter_mut().skip(column + 1) {
            let factor = row[column] / pivot[column];
            add(row, &pivot, -factor);
        }
    }
    let mut res = vec![0.0; n];
    for column in (0..n).rev() {
        let known: f64 = (column + 1..n)
            .map(|other| rows[column][other] * res[other])
            .sum();
        res[column] = (rows[column][n] - known) / rows[column][column];
    }
    res
}

fn add(acc: &mut [f64], other: &[f64], factor: f64) {
    for (a, b) in acc.iter_mut().zip(other) {
        *a += factor * b;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
