
@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    return shade(in).color;
}
