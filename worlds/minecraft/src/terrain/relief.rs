//! The relief of a chunk: heights and biomes of its columns and of places beside it.

use noise::{NoiseFn, Perlin};

use super::biome::Biome;
use super::layout::{Layout, Site};
use super::plan::mix;
use super::theme::Noises;

/// The spacing at which the slow noises are sampled, in blocks; values in between are interpolated.
const STEP: i32 = 4;
const POINTS: usize = 5;

/// The noises of a seed.
#[derive(Clone, Debug)]
pub(super) struct ReliefNoises {
    /// Each noise with the number of blocks in a unit.
    slow: [(Perlin, f64); 4],
    /// A shift, because all these noises are zero at whole numbers, and so at the origin.
    shift: [f64; 2],
    detail: Perlin,
}

/// The ground at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) height: i32,
    pub(super) biome: Biome,
}

/// The relief of one chunk and its surroundings.
#[derive(Debug)]
pub(super) struct Relief<'a> {
    noises: &'a ReliefNoises,
    layout: Layout,
    sites: Vec<Site>,
    origin: [i32; 2],
    lattice: [[f64; 4]; POINTS * POINTS],
}

impl ReliefNoises {
    pub(super) fn new(seed: u64) -> Self {
        let noise = |salt: i32| Perlin::new(mix(seed, salt, 11, 0) as u32);
        let shift = [6, 7].map(|salt| (mix(seed, salt, 11, 0) % 100_000) as f64);
        Self {
            shift,
            slow: [(noise(1), 150.0), (noise(2), 190.0), (noise(3), 230.0), (noise(4), 70.0)],
            detail: noise(5),
        }
    }

    /// The slow noises at a lattice point.
    fn slow(&self, x: i32, z: i32) -> [f64; 4] {
        let at = [f64::from(x) + self.shift[0] + 0.5, f64::from(z) + self.shift[1] + 0.5];
        self.slow.each_ref().map(|(noise, wide)| noise.get(at.map(|part| part / wide)))
    }

    /// The relief of a chunk.
    pub(super) fn chunk(&self, layout: Layout, seed: u64, chunk_x: i32, chunk_z: i32) -> Relief<'_> {
        let origin = [chunk_x * 16, chunk_z * 16];
        let lattice = std::array::from_fn(|point| {
            let (x, z) = (point % POINTS, point / POINTS);
            self.slow(origin[0] + x as i32 * STEP, origin[1] + z as i32 * STEP)
        });
        Relief { noises: self, layout, sites: layout.sites(seed, chunk_x, chunk_z), origin, lattice }
    }
}

impl Relief<'_> {
    /// The noises at a place in the chunk or up to 24 blocks beside it.
    fn noises(&self, x: i32, z: i32) -> Noises {
        let (west, north) = (x.div_euclid(STEP) * STEP, z.div_euclid(STEP) * STEP);
        let corner = |east: i32, south: i32| {
            let (x, z) = (west + east * STEP, north + south * STEP);
            let (i, j) = ((x - self.origin[0]) / STEP, (z - self.origin[1]) / STEP);
            let inside = x >= self.origin[0] && z >= self.origin[1] && i < POINTS as i32 && j < POINTS as i32;
            if inside { self.lattice[j as usize * POINTS + i as usize] } else { self.noises.slow(x, z) }
        };
        let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
        let (u, v) = (f64::from(x - west) / f64::from(STEP), f64::from(z - north) / f64::from(STEP));
        let [land, hills, climate, shape] = std::array::from_fn(|part| {
            let lerp = |a: usize, b: usize| corners[a][part] + (corners[b][part] - corners[a][part]) * u;
            let (near, far) = (lerp(0, 1), lerp(2, 3));
            near + (far - near) * v
        });
        let detail = self.noises.detail.get([(f64::from(x) + 0.5) / 21.0, (f64::from(z) + 0.5) / 21.0]);
        Noises { land, hills, climate, shape, detail }
    }

    /// The ground at a place.
    pub(super) fn at(&self, x: i32, z: i32) -> Place {
        let noises = self.noises(x, z);
        let mixture = self.layout.at(&self.sites, x, z, [noises.shape, noises.land]);
        let mut height = mixture.main.height(noises);
        if mixture.share > 0.0 {
            height += (mixture.other.height(noises) - height) * mixture.share;
        }
        let biome = mixture.main.biome(noises, height.floor() as i32);
        let ravine = mixture.main.ravine(noises, height).filter(|_| !biome.is_wet());
        Place { height: ravine.unwrap_or(height).floor().clamp(12.0, 150.0) as i32, biome }
    }
}
