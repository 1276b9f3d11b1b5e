//! Layouts: the placement of themes.

use strum::VariantArray as _;

use super::plan::mix;
use super::theme::{Theme, smooth};

/// The width of a region's cell, in blocks. Each cell has one site, and a place belongs to the nearest site.
const CELL: i32 = 224;
/// The maximum distance of a site from the middle of its cell, along each axis.
const JITTER: i32 = 72;
/// The width of the strip in which two lands blend into each other, in blocks.
const BLEND: f64 = 28.0;
/// The radius of the island around the origin, and the number of blocks by which it varies.
const RADIUS: f64 = 36.0;
const WOBBLE: f64 = 12.0;

/// The placement of themes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    /// One theme everywhere.
    Uniform(Theme),
    /// A forest around the origin in a sea with islands.
    Island,
    /// Regions about 200 blocks wide with themes drawn from all.
    Regions,
}

/// Two themes and the share of the second one, at most a half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mixture {
    pub(super) main: Theme,
    pub(super) other: Theme,
    pub(super) share: f64,
}

impl Mixture {
    const fn pure(theme: Theme) -> Self {
        Self { main: theme, other: theme, share: 0.0 }
    }

    fn of(first: Theme, second: Theme, share: f64) -> Self {
        if share <= 0.0 {
            Self::pure(first)
        } else if share >= 1.0 {
            Self::pure(second)
        } else if share > 0.5 {
            Self { main: second, other: first, share: 1.0 - share }
        } else {
            Self { main: first, other: second, share }
        }
    }
}

/// The middle of a region, and its theme.
pub(super) type Site = ([f64; 2], Theme);

impl Layout {
    /// The sites that can be nearest or second nearest to places in a chunk, or up to 24 blocks outside it.
    pub(super) fn sites(self, seed: u64, chunk_x: i32, chunk_z: i32) -> Vec<Site> {
        let mut sites = Vec::new();
        if let Layout::Regions = self {
            let (x, z) = (chunk_x * 16 + 8, chunk_z * 16 + 8);
            for cell_z in z.div_euclid(CELL) - 2..=z.div_euclid(CELL) + 2 {
                for cell_x in x.div_euclid(CELL) - 2..=x.div_euclid(CELL) + 2 {
                    sites.push(site(seed, cell_x, cell_z));
                }
            }
            let away = |at: &[f64; 2]| (at[0] - f64::from(x)).hypot(at[1] - f64::from(z));
            let nearest = sites.iter().map(|(at, _)| away(at)).fold(f64::INFINITY, f64::min);
            // A place moves by up to 45 blocks, and warping adds about 30.
            sites.retain(|(at, _)| away(at) < nearest + BLEND + 150.0);
        }
        sites
    }

    /// The themes at a place. `warp`, two values about -1 to 1, makes borders crooked.
    pub(super) fn at(self, sites: &[Site], x: i32, z: i32, warp: [f64; 2]) -> Mixture {
        let (x, z) = (f64::from(x), f64::from(z));
        match self {
            Layout::Uniform(theme) => Mixture::pure(theme),
            Layout::Island => {
                let border = RADIUS + WOBBLE * warp[0].clamp(-1.0, 1.0);
                let sea = smooth(x.hypot(z) - border, -BLEND / 2.0, BLEND / 2.0);
                Mixture::of(Theme::Forest, Theme::Islands, sea)
            }
            Layout::Regions => {
                let (x, z) = (x + 30.0 * warp[0], z + 30.0 * warp[1]);
                let mut best = [(f64::INFINITY, Theme::Forest); 2];
                for (at, theme) in sites {
                    let away = (at[0] - x).hypot(at[1] - z);
                    if away < best[0].0 {
                        best = [(away, *theme), best[0]];
                    } else if away < best[1].0 {
                        best[1] = (away, *theme);
                    }
                }
                let [(near, main), (far, other)] = best;
                Mixture::of(main, other, 0.5 * (1.0 - smooth(far - near, 0.0, BLEND)))
            }
        }
    }
}

fn site(seed: u64, cell_x: i32, cell_z: i32) -> Site {
    let drawn = mix(seed, cell_x, 41, cell_z);
    let off = |bits: u64| (bits % (2 * JITTER as u64 + 1)) as i32 - JITTER;
    let at = [cell_x * CELL + CELL / 2 + off(drawn >> 40), cell_z * CELL + CELL / 2 + off(drawn >> 20 & 0xF_FFFF)];
    (at.map(f64::from), Theme::VARIANTS[(drawn & 0xFFFF) as usize % Theme::VARIANTS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_agree_on_the_themes_beside_them() {
        let layout = Layout::Regions;
        for chunk in -40..40 {
            let (here, beside) = (layout.sites(5, chunk, 3), layout.sites(5, chunk + 1, 3));
            for x in chunk * 16 + 8..chunk * 16 + 24 {
                for warp in [[0.0, 0.0], [0.9, -0.9]] {
                    assert_eq!(layout.at(&here, x, 50, warp), layout.at(&beside, x, 50, warp));
                }
            }
        }
    }

    #[test]
    fn an_island_is_forest_inside_and_sea_outside() {
        let at = |x: i32, warp: f64| Layout::Island.at(&[], x, 0, [warp, 0.0]);
        assert_eq!(at(0, 1.0), Mixture::pure(Theme::Forest));
        assert_eq!(at(80, 0.0), Mixture::pure(Theme::Islands));
        assert_eq!(at(9, -1.0).share, 0.0);
    }
}
