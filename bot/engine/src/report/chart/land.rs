//! The land below a map, as a picture in the page.

use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ltlcrit_minecraft::above::{self, SIDE};
use ltlcrit_minecraft::terrain::TerrainKind;
use rustc_hash::FxHashMap;

/// The longest side of a picture, in blocks. Wider ways are drawn without the land.
const MAX_SIDE: u32 = 1024;

/// Draws these columns as the address of a PNG picture with a pixel for each; `None` if they are too many.
pub fn picture((kind, seed): (TerrainKind, u64), east: Range<i32>, south: Range<i32>) -> Option<String> {
    let size = [&east, &south].map(|side| u32::try_from(side.len()).ok().filter(|side| (1..=MAX_SIDE).contains(side)));
    let [Some(wide), Some(high)] = size else { return None };
    let (mut tiles, side) = (FxHashMap::default(), SIDE as i32);
    let mut pixels = Vec::with_capacity(wide as usize * high as usize * 3);
    for z in south {
        for x in east.clone() {
            let at = (x.div_euclid(side), z.div_euclid(side));
            let tile = tiles.entry(at).or_insert_with(|| above::tile(kind, seed, at.0, at.1));
            let column = z.rem_euclid(side) * side + x.rem_euclid(side);
            pixels.extend(tile.as_ref()?[column as usize].colour);
        }
    }
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, wide, high);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels).ok()?;
    writer.finish().ok()?;
    Some(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_pixel_for_each_column() {
        let land = (TerrainKind::Natural, 5);
        let address = picture(land, -70..30, 60..70).unwrap();
        let bytes = BASE64_STANDARD.decode(address.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let shown = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((shown.width, shown.height), (100, 10));
        // The column at x = -1, z = 65 is in the tile (-1, 1).
        let tile = above::tile(land.0, land.1, -1, 1).unwrap();
        let at = 3 * (5 * 100 + 69);
        assert_eq!(pixels[at..at + 3], tile[SIDE + 63].colour);
        assert_eq!(picture(land, 0..2000, 0..10), None);
    }
}
