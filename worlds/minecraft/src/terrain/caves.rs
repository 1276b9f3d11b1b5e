//! Caves: tunnels at the common zeroes of two noises. The noises are sampled on a lattice and interpolated; a cell
//! whose corners all lie on one side is skipped.

use noise::{NoiseFn, Perlin};

use super::plan::MIN_Y;

/// Lattice cells are 4 blocks wide and 8 high, as the game's are.
pub(super) const WIDE: usize = 4;
pub(super) const HIGH: usize = 8;
pub(super) const POINTS: usize = 16 / WIDE + 1;
const LAYERS: usize = 16 / HIGH + 1;
/// Noise units a block, horizontally and vertically.
const SCALE: [f64; 2] = [1.0 / 54.0, 1.0 / 34.0];

/// The two noises whose common zeroes are tunnels.
#[derive(Clone, Debug)]
pub(super) struct Caves {
    first: Perlin,
    second: Perlin,
}

pub(super) type Lattice = [f32; POINTS * POINTS * LAYERS];

impl Caves {
    pub(super) fn new(seed: u64) -> Self {
        Self { first: Perlin::new(seed as u32 ^ 0x5EED_CA7E), second: Perlin::new((seed >> 32) as u32 ^ 0x00C0_FFEE) }
    }

    /// Calls `carve` for every hollow cell of a section. The radius of tunnels grows with depth.
    pub(super) fn carve(&self, chunk_x: i32, section: usize, chunk_z: i32, mut carve: impl FnMut(usize)) {
        let middle = MIN_Y + 16 * section as i32 + 8;
        let limit = match middle {
            ..0 => 0.135,
            0..48 => 0.115,
            _ => 0.125,
        };
        let first = sample(&self.first, SCALE, [chunk_x, section as i32, chunk_z]);
        if one_sided(first.iter().copied(), limit) {
            return;
        }
        let second = sample(&self.second, SCALE, [chunk_x, section as i32, chunk_z]);
        for cell in 0..16 * 16 * 16 / (WIDE * WIDE * HIGH) {
            let (x, z, y) = (cell % 4, cell / 4 % 4, cell / 16);
            let a = corners(&first, [x, y, z]);
            if one_sided(a.into_iter(), limit) {
                continue;
            }
            let b = corners(&second, [x, y, z]);
            if one_sided(b.into_iter(), limit) {
                continue;
            }
            for row in 0..WIDE * HIGH {
                let (iz, iy) = (row % WIDE, row / WIDE);
                let at = [iz as f32 / WIDE as f32, iy as f32 / HIGH as f32];
                let ([u, u_end], [v, v_end]) = (edge(&a, at), edge(&b, at));
                let (u_step, v_step) = ((u_end - u) / WIDE as f32, (v_end - v) / WIDE as f32);
                for ix in 0..WIDE {
                    let (u, v) = (u + u_step * ix as f32, v + v_step * ix as f32);
                    if u * u + v * v < limit * limit {
                        carve((y * HIGH + iy) * 256 + (z * WIDE + iz) * 16 + x * WIDE + ix);
                    }
                }
            }
        }
    }
}

/// A noise's values at the lattice points of a section; `scale` is horizontal and vertical.
pub(super) fn sample(noise: &Perlin, scale: [f64; 2], [chunk_x, section, chunk_z]: [i32; 3]) -> Lattice {
    let mut lattice = [0.0; POINTS * POINTS * LAYERS];
    let bottom = MIN_Y + 16 * section;
    for y in 0..LAYERS {
        for z in 0..POINTS {
            for x in 0..POINTS {
                // The points are half a block off the grid, because Perlin noise is zero at whole numbers.
                let at = |chunk: i32, step: usize| f64::from(chunk * 16 + (step * WIDE) as i32) + 0.5;
                let point = [
                    at(chunk_x, x) * scale[0],
                    (f64::from(bottom + (y * HIGH) as i32) + 0.5) * scale[1],
                    at(chunk_z, z) * scale[0],
                ];
                lattice[(y * POINTS + z) * POINTS + x] = noise.get(point) as f32;
            }
        }
    }
    lattice
}

/// The values at the corners of a lattice cell.
pub(super) fn corners(lattice: &Lattice, [x, y, z]: [usize; 3]) -> [f32; 8] {
    std::array::from_fn(|corner| {
        let (dx, dz, dy) = (corner & 1, corner >> 1 & 1, corner >> 2);
        lattice[((y + dy) * POINTS + z + dz) * POINTS + x + dx]
    })
}

/// Returns whether all values are beyond the limit on the same side, so that no interpolated value is within it.
fn one_sided(values: impl Iterator<Item = f32> + Clone, limit: f32) -> bool {
    values.clone().all(|value| value > limit) || values.into_iter().all(|value| value < -limit)
}

/// The values at the two ends of a row along x.
pub(super) fn edge(corners: &[f32; 8], [z, y]: [f32; 2]) -> [f32; 2] {
    let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
    std::array::from_fn(|x| lerp(lerp(corners[x], corners[x + 2], z), lerp(corners[x + 4], corners[x + 6], z), y))
}
