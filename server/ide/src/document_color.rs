//! Colors: the values that are one, and how a picked one is written.
//!
//! Graphviz writes colors as `#rrggbb`, `#rrggbbaa`, as hue, saturation and value between 0 and 1, or by
//! name. Names of other schemes than X11 are left alone.

use attractor_dot::TextRange;
use attractor_model::catalogue::{self, GraphvizType};

use crate::document::Document;
use crate::walk;

mod names;

/// A color in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    /// Its text, without quotes.
    pub range: TextRange,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub rgba: [f32; 4],
}

/// Every color of a document, in the order of the text.
pub fn colors(doc: &Document) -> Vec<Color> {
    let mut colors = Vec::new();
    walk::attributes(&doc.parse.file, |site| {
        let key = doc.decode(&site.attr.key);
        let is_colour = catalogue::graphviz_attribute(&key)
            .is_some_and(|row| matches!(row.ty, GraphvizType::Color | GraphvizType::ColorList));
        let Some(value) = site.attr.value.filter(|_| is_colour) else {
            return;
        };
        let decoded = value.decoded(&doc.text);
        let mut start = 0;
        for part in decoded.text.split(':') {
            // A part of a gradient can have a weight: `red;0.3`.
            let name = part.split(';').next().unwrap_or(part);
            if let Some(rgba) = read(name.trim()) {
                colors.push(Color {
                    range: decoded.range_to_source(start, start + name.len()),
                    rgba,
                });
            }
            start += part.len() + 1;
        }
    });
    colors
}

/// The ways to write a color, best first.
pub fn presentations(rgba: [f32; 4]) -> Vec<String> {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round();
    let [red, green, blue, opacity] = rgba.map(byte);
    let hex = [red, green, blue]
        .map(|part| format!("{:02x}", to_u8(part)))
        .concat();
    let named = names::NAMES
        .iter()
        .find(|(_, value)| format!("{value:06x}") == hex)
        .map(|(name, _)| *name);
    if opacity < 255.0 {
        return vec![format!("#{hex}{:02x}", to_u8(opacity))];
    }
    std::iter::once(format!("#{hex}"))
        .chain(named.map(ToOwned::to_owned))
        .collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped and rounded to 0..=255 before"
)]
fn to_u8(part: f32) -> u8 {
    part as u8
}

fn read(text: &str) -> Option<[f32; 4]> {
    if let Some(digits) = text.strip_prefix('#') {
        return hex(digits);
    }
    let parts: Vec<f32> = text
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map_while(|part| part.parse().ok())
        .collect();
    if let [hue, saturation, value] = parts.as_slice() {
        return Some(from_hsv(*hue, *saturation, *value));
    }
    let value = names::NAMES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))?
        .1;
    let [_, red, green, blue] = value.to_be_bytes().map(|byte| f32::from(byte) / 255.0);
    Some([red, green, blue, 1.0])
}

fn hex(digits: &str) -> Option<[f32; 4]> {
    let value = u32::from_str_radix(digits, 16).ok()?;
    let value = match digits.len() {
        6 => value << 8 | 0xff,
        8 => value,
        _ => return None,
    };
    Some(value.to_be_bytes().map(|byte| f32::from(byte) / 255.0))
}

fn from_hsv(hue: f32, saturation: f32, value: f32) -> [f32; 4] {
    let part = |offset: f32| {
        let k = (offset + hue.clamp(0.0, 1.0) * 6.0) % 6.0;
        let dip = k.min(4.0 - k).clamp(0.0, 1.0);
        value - value * saturation * dip
    };
    [part(5.0), part(3.0), part(1.0), 1.0]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::{doc, draw};

    #[test]
    fn colors_are_found_in_every_notation() {
        let doc = doc(
            "digraph { a [color=red, fillcolor=\"#00ff0080:white;0.5\"]\n b [fontcolor=\"0.6 1.0 1.0\", label=red, color=nocolour]\n bgcolor=\"#12\" }",
        );
        let shown = colors(&doc).into_iter().map(|color| {
            let bytes: Vec<String> = color.rgba.iter().map(|part| format!("{part:.2}")).collect();
            (color.range, bytes.join(" "))
        });
        expect![[r##"
            1 | digraph { a [color=red, fillcolor="#00ff0080:white;0.5"]
              |                    ^^^ 1.00 0.00 0.00 1.00
              |                                    ^^^^^^^^^ 0.00 1.00 0.00 0.50
              |                                              ^^^^^ 1.00 1.00 1.00 1.00
            2 |  b [fontcolor="0.6 1.0 1.0", label=red, color=nocolour]
              |                ^^^^^^^^^^^ 0.00 0.40 1.00 1.00
        "##]]
        .assert_eq(&draw(&doc, shown));
    }

    #[test]
    fn a_picked_colour_can_be_written() {
        assert_eq!(presentations([1.0, 0.0, 0.0, 1.0]), ["#ff0000", "red"]);
        assert_eq!(presentations([0.0, 0.5, 1.0, 0.5]), ["#0080ff80"]);
        assert_eq!(presentations([9.0, -1.0, 0.0, 1.0]), ["#ff0000", "red"]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (name, _) in names::NAMES {
            let rgba = read(name).unwrap();
            assert!(
                presentations(rgba)
                    .iter()
                    .all(|text| read(text) == Some(rgba)),
                "{name}"
            );
        }
    }
}
