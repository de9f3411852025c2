//! Scratch: cost of a frame.
use std::sync::Arc;
use std::time::Instant;
use render::{Gpu, GpuChoice, OffscreenTarget, PixelFormat, Renderer};
use scene::*;
fn cpu() -> f64 {
    let mut own = 0.0; let mut pipe = 0.0;
    for t in std::fs::read_dir("/proc/self/task").unwrap() {
        let p = t.unwrap().path();
        let comm = std::fs::read_to_string(p.join("comm")).unwrap_or_default();
        let s = std::fs::read_to_string(p.join("schedstat")).unwrap_or_default();
        let ns: f64 = s.split(' ').next().unwrap_or("0").parse().unwrap_or(0.0);
        if comm.starts_with("llvmpipe") { pipe += ns } else { own += ns }
    }
    PIPE.with(|it| it.set(pipe)); own
}
thread_local! { static PIPE: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) }; }
fn main() {
    let gpu = Gpu::new(GpuChoice::Software).unwrap();
    let mut renderer = Renderer::new(&gpu, PixelFormat::IMAGE);
    let metrics = renderer.cell_metrics(14.0, 1.0);
    let mut target = OffscreenTarget::new(&gpu, PixelFormat::IMAGE, 1400, 900);
    let text = "fn main() { let value = compute(a, b)?; println!(\"{value}\"); } // and so on, some words  ";
    let row = |k: usize| {
        let cells = text.chars().cycle().skip(k).take(150).map(|glyph| GridCell { glyph, foreground: Color::hex(0xd7dce5), ..Default::default() }).collect();
        Arc::new(GridRow { cells })
    };
    for (name, fill) in [("dense", 40), ("empty", 0)] {
    let mut rows: Vec<_> = (0..40).map(|k| if k < fill { row(k) } else { Arc::new(GridRow::default()) }).collect();
    let scene = |rows: &[Arc<GridRow>]| {
        let mut layer = Layer::new(Rect::new(0.0, 0.0, 1400.0, 900.0));
        layer.quads.push(Quad::filled(Rect::new(0.0,0.0,224.0,900.0), Color::hex(0x0e1014)));
        for k in 0..20u8 { layer.texts.push(TextRun { origin: Point::new(16.0, 20.0 + f32::from(k)*40.0), width: 180.0, align: Align::Left, family: FontFamily::Ui, size: 13.0, line_height: 20.0, spans: vec![Span { text: format!("workspace {k} ready"), color: Color::hex(0xd7dce5), weight: Weight::Medium, italic: false }] }); }
        let mut pane = Layer::new(Rect::new(225.0, 0.0, 1175.0, 900.0));
        pane.grids.push(CellGrid { id: 1, origin: Point::new(240.0, 40.0), metrics, rows: rows.to_vec() });
        Scene { size: Size::new(1400.0, 900.0), scale: 1.0, background: Color::hex(0x14171c), layers: vec![layer, pane] }
    };
    for n in 0..20 { rows[20] = row(n); target.draw(&gpu, &mut renderer, &scene(&rows)).unwrap(); gpu.wait(); }
    let own0 = cpu(); let pipe0 = PIPE.get(); let mut walls = vec![]; let mut subs = vec![];
    for n in 0..300 {
        rows[20] = row(n % 50);
        let s = scene(&rows);
        let t = Instant::now();
        target.draw(&gpu, &mut renderer, &s).unwrap();
        subs.push(t.elapsed().as_secs_f64() * 1e3);
        gpu.wait();
        walls.push(t.elapsed().as_secs_f64() * 1e3);
    }
    let own = cpu() - own0; let pipe = PIPE.get() - pipe0;
    walls.sort_by(f64::total_cmp); subs.sort_by(f64::total_cmp);
    println!("{name}: wall median {:.3} p99 {:.3} ms; submit {:.3} ms; own {:.3} ms/frame, llvmpipe {:.3} ms/frame", walls[150], walls[297], subs[150], own/3e8, pipe/3e8);
    }
}
