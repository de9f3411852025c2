
struct Blended {
    @location(0) @blend_src(0) color: vec4<f32>,
    @location(0) @blend_src(1) cover: vec4<f32>,
}

@fragment
fn fragment(in: Varying) -> Blended {
    let shade = shade(in);
    return Blended(shade.color, shade.cover);
}
