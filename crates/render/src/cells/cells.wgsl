// Cells: plain rectangles, and coverage from the atlas, one texel a pixel.

struct Frame { size: vec2<f32>, padding: vec2<f32> }
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var atlas: texture_2d<f32>;

struct Instance {
    @builtin(vertex_index) index: u32,
    @location(0) origin: vec2<f32>,
    @location(1) size: vec2<u32>,
    @location(2) slot: vec2<u32>,
    @location(3) color: vec4<f32>,
    @location(4) covered: u32,
}

struct Varying {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) origin: vec2<f32>,
    @location(1) @interpolate(flat) slot: vec2<u32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
    @location(3) @interpolate(flat) covered: u32,
}

@vertex
fn vertex(in: Instance) -> Varying {
    let corner = vec2<f32>(f32(in.index & 1u), f32(in.index >> 1u));
    let at = (in.origin + corner * vec2<f32>(in.size)) / frame.size * 2.0 - 1.0;
    return Varying(vec4<f32>(at.x, -at.y, 0.0, 1.0), in.origin, in.slot, in.color, in.covered);
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let color = vec4<f32>(in.color.rgb, 1.0) * in.color.a;
    let texel = in.slot + vec2<u32>(in.at.xy - in.origin);
    let coverage = textureLoad(atlas, texel, 0).r;
    return select(color * coverage, color, in.covered == 1u);
}
