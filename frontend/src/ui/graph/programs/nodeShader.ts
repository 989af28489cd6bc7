/**
 * Shader of a node: one silhouette per kind of machine by signed distances, sharp at every zoom and pixel density.
 */

import type { Glyph } from "../scene";

/** Values of the `glyph` attribute. */
export const GLYPH_CODE: Readonly<Record<Glyph, number>> = {
  host: 0,
  switch: 1,
  router: 2,
  gateway: 3,
  fabric: 4,
  group: 5,
};

// language=GLSL
export const NODE_VERTEX = /*glsl*/ `
attribute vec2 a_corner;
attribute vec2 a_centre;   // framed graph coordinates
attribute vec4 a_look;     // radius, glyph, halo, ring
attribute vec4 a_fill;
attribute vec4 a_border;

uniform mat3 u_matrix;
uniform vec2 u_size;
uniform float u_sizeRatio;

varying vec2 v_point;
varying vec4 v_look;
varying vec4 v_fill;
varying vec4 v_border;

void main() {
  float radius = a_look.x / u_sizeRatio;
  // As small as the silhouette and its marks allow: software rendering pays for every pixel.
  float reach = radius * 1.46 + 1.0 + 9.0 * step(0.001, a_look.z + a_look.w);
  vec2 centre = (u_matrix * vec3(a_centre, 1.0)).xy;
  gl_Position = vec4(centre + a_corner * reach / (0.5 * u_size), 0.0, 1.0);
  v_point = a_corner * reach;
  v_look = vec4(radius, a_look.yzw);
  v_border = a_border;
  v_fill = a_fill;
}
`;

// language=GLSL
export const NODE_FRAGMENT = /*glsl*/ `
precision highp float;

varying vec2 v_point;
varying vec4 v_look;
varying vec4 v_fill;
varying vec4 v_border;

uniform float u_pixelRatio;
uniform vec3 u_halo;
uniform vec3 u_accent;

float box(vec2 p, vec2 half_, float corner) {
  vec2 q = abs(p) - half_ + corner;
  return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - corner;
}

float hexagon(vec2 p, float radius) {
  vec2 q = abs(p);
  return max(dot(q, vec2(0.8660254, 0.5)), q.y) - radius;
}

float silhouette(vec2 p, float radius, float glyph) {
  if (glyph < 0.5) return box(p, vec2(radius * 0.92), radius * 0.26);
  if (glyph < 1.5) return box(p, vec2(radius * 1.2, radius * 0.72), radius * 0.2);
  if (glyph < 2.5) return length(p) - radius;
  if (glyph < 3.5) return hexagon(p, radius);
  if (glyph < 4.5) return box(p, vec2(radius * 0.6, radius * 1.45), radius * 0.58);
  float front = box(p + radius * 0.16, vec2(radius * 0.84), radius * 0.22);
  float behind = box(p - radius * 0.2, vec2(radius * 0.84), radius * 0.22);
  return min(front, behind);
}

float cover(float distance) {
  return clamp(0.5 - distance * u_pixelRatio, 0.0, 1.0);
}

void main() {
  float radius = v_look.x;
  float distance = silhouette(v_point, radius, v_look.y);

  float border = clamp(radius * 0.16, 0.8, 2.0);
  float shape = cover(distance);
  vec3 colour = mix(v_border.rgb, v_fill.rgb, cover(distance + border) / max(shape, 0.001));
  vec4 result = vec4(colour * shape, shape);
  float ring = v_look.w * (cover(distance - 5.0) - cover(distance - 2.5));
  result += vec4(u_accent * ring, ring) * (1.0 - result.a);
  float glow = v_look.z * (1.0 - smoothstep(0.0, 9.0, distance));
  result += vec4(u_halo * glow, glow) * (1.0 - result.a);
  gl_FragColor = result;
}
`;
