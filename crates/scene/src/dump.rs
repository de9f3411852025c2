//! A scene as text, for tests and for looking at: one primitive a line, nested by layer.

use std::fmt;

use crate::{Align, CellGrid, FontFamily, Line, Quad, Rect, Scene, TextRun, Weight};

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, scale, background, layers } = self;
        writeln!(f, "scene {}x{} @{scale} {background}", size.width, size.height)?;
        for layer in layers {
            writeln!(f, "layer {}", layer.clip)?;
            layer.quads.iter().try_for_each(|quad| writeln!(f, "  {quad}"))?;
            layer.lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
            layer.grids.iter().try_for_each(|grid| write!(f, "{grid}"))?;
            layer.texts.iter().try_for_each(|text| writeln!(f, "  {text}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{} {}x{}", self.x, self.y, self.width, self.height)
    }
}

impl fmt::Display for Quad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rect, color, radius, border_width, border_color, blur } = self;
        let round = *radius > 0.0 && 2.0 * radius >= rect.width && rect.width == rect.height;
        if round {
            let center = rect.center();
            let shape = if color.a == 0 { "ring" } else { "disc" };
            write!(f, "{shape} {},{} r{radius}", center.x, center.y)?;
        } else {
            write!(f, "quad {rect}")?;
            if *radius > 0.0 {
                write!(f, " r{radius}")?;
            }
        }
        if color.a > 0 {
            write!(f, " {color}")?;
        }
        if *border_width > 0.0 {
            write!(f, " border {border_width} {border_color}")?;
        }
        if *blur > 0.0 {
            write!(f, " blur {blur}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, width, color } = self;
        write!(f, "line {},{} {},{} w{width} {color}", from.x, from.y, to.x, to.y)
    }
}

impl fmt::Display for CellGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  grid {},{} rows {}", self.origin.x, self.origin.y, self.rows.len())?;
        for row in &self.rows {
            let text: String = row.cells.iter().map(|cell| cell.glyph).collect();
            writeln!(f, "    |{}", text.trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Display for TextRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text {},{} {}px", self.origin.x, self.origin.y, self.size)?;
        if self.family == FontFamily::Mono {
            write!(f, " mono")?;
        }
        match self.align {
            Align::Left => {}
            Align::Center => write!(f, " centre of {}", self.width)?,
            Align::Right => write!(f, " right of {}", self.width)?,
        }
        for span in &self.spans {
            write!(f, " {:?} {}", span.text, span.color)?;
            match span.weight {
                Weight::Regular => {}
                Weight::Medium => write!(f, " medium")?,
                Weight::SemiBold => write!(f, " semibold")?,
                Weight::Bold => write!(f, " bold")?,
            }
            if span.italic {
                write!(f, " italic")?;
            }
        }
        Ok(())
    }
}
