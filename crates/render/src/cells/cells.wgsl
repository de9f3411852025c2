// Cells and text: plain rectangles, and pixels from the atlas, one texel each.
//
// A second file with the fragment stage follows: `plain.wgsl`, or `lcd.wgsl` where each channel of a
// pixel can be blended by its own coverage.

struct Frame { size: vec2<f32>, padding: vec2<f32> }
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var atlas: texture_2d<f32>;

struct Instance {
    @builtin(vertex_index) index: u32,
    @location(0) origin: vec2<f32>,
    @location(1) size: vec2<u32>,
    @location(2) slot: vec2<u32>,
    @location(3) color: vec4<f32>,
    @location(4) kind: u32,
}

struct Varying {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) origin: vec2<f32>,
    @location(1) @interpolate(flat) slot: vec2<u32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
    @location(3) @interpolate(flat) kind: u32,
    // How much thin strokes are helped; depends on the colour alone.
    @location(4) @interpolate(flat) boost: f32,
}

// What the letters of an instance are.
const LETTERS = 0u;
const SOLID = 1u;
const COLORS = 2u;

// Colours are blended as they are written, which makes light strokes on a dark ground look thinner
// than dark ones on a light ground: the lighter the text, the more its partly covered pixels are
// raised.
const BOOST_OF_DARK = 0.12;
const BOOST_OF_LIGHT = 0.45;

@vertex
fn vertex(in: Instance) -> Varying {
    let corner = vec2<f32>(f32(in.index & 1u), f32(in.index >> 1u));
    let at = (in.origin + corner * vec2<f32>(in.size)) / frame.size * 2.0 - 1.0;
    let lightness = dot(in.color.rgb, vec3<f32>(0.30, 0.59, 0.11));
    let boost = select(0.0, mix(BOOST_OF_DARK, BOOST_OF_LIGHT, lightness), in.kind == LETTERS);
    let position = vec4<f32>(at.x, -at.y, 0.0, 1.0);
    return Varying(position, in.origin, in.slot, in.color, in.kind, boost);
}

struct Shade {
    // Multiplied by its opacity.
    color: vec4<f32>,
    // How much of each channel below is hidden.
    cover: vec4<f32>,
}

fn shade(in: Varying) -> Shade {
    let texel = textureLoad(atlas, in.slot + vec2<u32>(in.at.xy - in.origin), 0);
    if in.kind == COLORS {
        let color = texel * in.color.a;
        return Shade(color, vec4<f32>(color.a));
    }
    let raised = texel * (1.0 + in.boost) / (1.0 + texel * in.boost);
    let cover = select(raised, vec4<f32>(1.0), in.kind == SOLID) * in.color.a;
    return Shade(vec4<f32>(in.color.rgb, 1.0) * cover, cover);
}
