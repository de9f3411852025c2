// Rounded rectangles with borders, soft rectangles, and strokes with round ends.
// Everything is in device pixels; edges fall on whole ones unless the shape is soft.

struct Frame { size: vec2<f32>, padding: vec2<f32> }
@group(0) @binding(0) var<uniform> frame: Frame;

struct Instance {
    @builtin(vertex_index) index: u32,
    @location(0) geometry: vec4<f32>,
    @location(1) shape: vec4<f32>,
    @location(2) fill: vec4<f32>,
    @location(3) border: vec4<f32>,
}

struct Varying {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) geometry: vec4<f32>,
    @location(1) @interpolate(flat) shape: vec4<f32>,
    @location(2) @interpolate(flat) fill: vec4<f32>,
    @location(3) @interpolate(flat) border: vec4<f32>,
}

@vertex
fn vertex(in: Instance) -> Varying {
    let blur = in.shape.z;
    let stroke = in.shape.w;
    var low = in.geometry.xy - blur;
    var high = in.geometry.xy + in.geometry.zw + blur;
    if stroke > 0.0 {
        let reach = stroke / 2.0 + 1.0;
        low = min(in.geometry.xy, in.geometry.zw) - reach;
        high = max(in.geometry.xy, in.geometry.zw) + reach;
    }
    let corner = vec2<f32>(f32(in.index & 1u), f32(in.index >> 1u));
    let at = mix(low, high, corner) / frame.size * 2.0 - 1.0;
    return Varying(vec4<f32>(at.x, -at.y, 0.0, 1.0), in.geometry, in.shape, in.fill, in.border);
}

// Below 0 inside, above 0 outside, in pixels.
fn rounded_rectangle(from_center: vec2<f32>, half_size: vec2<f32>, radius: f32) -> f32 {
    let corner = abs(from_center) - half_size + radius;
    return length(max(corner, vec2<f32>(0.0))) + min(max(corner.x, corner.y), 0.0) - radius;
}

fn stroke_coverage(at: vec2<f32>, from_: vec2<f32>, to: vec2<f32>, width: f32) -> f32 {
    let along = to - from_;
    let share = clamp(dot(at - from_, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return clamp(0.5 + width / 2.0 - length(at - from_ - along * share), 0.0, 1.0);
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let fill = vec4<f32>(in.fill.rgb, 1.0) * in.fill.a;
    let border = vec4<f32>(in.border.rgb, 1.0) * in.border.a;
    if in.shape.w > 0.0 {
        return fill * stroke_coverage(in.at.xy, in.geometry.xy, in.geometry.zw, in.shape.w);
    }
    let half_size = in.geometry.zw / 2.0;
    let from_center = in.at.xy - in.geometry.xy - half_size;
    let most = min(half_size.x, half_size.y);
    let blur = in.shape.z;
    if blur > 0.0 {
        let distance = rounded_rectangle(from_center, half_size, min(max(in.shape.x, blur), most));
        return fill * (1.0 - smoothstep(-blur, blur, distance));
    }
    let distance = rounded_rectangle(from_center, half_size, min(in.shape.x, most));
    let outer = clamp(0.5 - distance, 0.0, 1.0);
    let inner = clamp(0.5 - distance - in.shape.y, 0.0, 1.0);
    return fill * inner + border * (outer - inner);
}
