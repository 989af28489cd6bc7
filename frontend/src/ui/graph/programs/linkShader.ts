/**
 * Shader of a link: two halves that meet in two arrowheads, each coloured by its direction's load.
 *
 * Works in CSS px, so that dots, dashes, outlines and arrowheads keep their size at every zoom. A link is three rectangles
 * (half, arrowheads, half) instead of a wide one, because software rendering pays for every pixel.
 */

/** Values of the `stroke` attribute. */
export const STROKE_CODE = { active: 0, standby: 0, standby_dead: 0, down: 1, unknown: 2, dead: 3 } as const;

/** Whether a painter with only solid and broken lines draws this one broken. */
export const hasGapsIn = ({ stroke, solid }: { stroke: number; solid: number }): boolean =>
  solid < 0.5 || stroke === STROKE_CODE.down || stroke === STROKE_CODE.unknown;

// language=GLSL
export const LINK_VERTEX = /*glsl*/ `
attribute vec3 a_corner;   // 0..3 along: source, neck, neck, target; -1 or 1 across; 1 where arrowheads need room
attribute vec4 a_ends;     // source and target, framed graph coordinates
attribute vec4 a_shape;    // width, shift to the right of travel, stroke code, how solid a dotted line is (0..1)
attribute vec4 a_marks;    // halo, emphasis (alpha), outline, selected
attribute vec4 a_forward;
attribute vec4 a_back;
attribute vec4 a_outline;

uniform mat3 u_matrix;
uniform vec2 u_size;       // drawing area, CSS px
uniform float u_sizeRatio;

varying vec2 v_point;      // px from the source, px across
varying float v_length;
varying vec4 v_shape;      // half width, arrowhead half width, arrowhead length, stroke code
varying vec4 v_marks;
varying float v_solid;
varying vec4 v_forward;
varying vec4 v_back;
varying vec4 v_outline;

const float ROOM_HALO = 9.0;
const float ROOM_SELECTED = 4.5;

void main() {
  vec2 source = (u_matrix * vec3(a_ends.xy, 1.0)).xy * 0.5 * u_size;
  vec2 target = (u_matrix * vec3(a_ends.zw, 1.0)).xy * 0.5 * u_size;
  vec2 way = target - source;
  float len = max(length(way), 0.001);
  vec2 along = way / len;
  vec2 right = vec2(along.y, -along.x);

  float halfWidth = max(a_shape.x / u_sizeRatio, 1.2) * 0.5;
  float headHalf = halfWidth * 1.6 + 1.6;
  float headLength = min(headHalf * 1.7, len * 0.25);
  float room = 1.0 + max(ROOM_HALO * step(0.001, a_marks.x), ROOM_SELECTED * a_marks.w);
  float reach = mix(halfWidth, headHalf, a_corner.z) + room;

  float neck = headLength + 2.0;
  float stationA = len * 0.5 - neck;
  float stationB = len * 0.5 + neck;
  float at = a_corner.x < 0.5 ? 0.0 : a_corner.x < 1.5 ? stationA : a_corner.x < 2.5 ? stationB : len;

  vec2 point = source + right * (a_shape.y / u_sizeRatio) + along * at + right * a_corner.y * reach;
  gl_Position = vec4(point / (0.5 * u_size), 0.0, 1.0);

  v_point = vec2(at, a_corner.y * reach);
  v_length = len;
  v_shape = vec4(halfWidth, headHalf, headLength, a_shape.z);
  v_marks = vec4(a_marks.x, a_marks.y, min(a_marks.z, halfWidth * 0.4), a_marks.w);
  v_solid = a_shape.w;
  v_forward = a_forward;
  v_back = a_back;
  v_outline = a_outline;
}
`;

// language=GLSL
export const LINK_FRAGMENT = /*glsl*/ `
precision highp float;

varying vec2 v_point;
varying float v_length;
varying vec4 v_shape;
varying vec4 v_marks;
varying float v_solid;
varying vec4 v_forward;
varying vec4 v_back;
varying vec4 v_outline;

uniform float u_pixelRatio;
uniform vec3 u_halo;
uniform vec3 u_accent;
uniform vec3 u_hatch;

float cover(float distance) {
  return clamp(0.5 - distance * u_pixelRatio, 0.0, 1.0);
}

void main() {
  float middle = v_length * 0.5;
  bool forward = v_point.x < middle;
  float a = forward ? v_point.x : v_length - v_point.x;
  float y = abs(v_point.y);
  float halfWidth = v_shape.x;
  float stroke = v_shape.w;

  float tip = middle - 1.0;
  float neck = tip - v_shape.z;
  float tube = max(y - halfWidth, a - neck);
  vec2 slope = normalize(vec2(v_shape.y, v_shape.z));
  float head = max(dot(vec2(a - tip, y), slope), neck - a);
  float whole = min(tube, head);

  float drawn = whole;
  if (stroke > 0.5 && stroke < 1.5) {
    // Down: dashes without arrowheads.
    float period = max(halfWidth * 5.0, 9.0);
    float dash = abs(mod(a, period) - period * 0.5) - period * 0.3;
    whole = max(y - halfWidth, a - tip);
    drawn = max(whole, dash);
  } else if (stroke > 2.5) {
    // Dead path: a solid line without arrowheads.
    whole = max(y - halfWidth, a - tip);
    drawn = whole;
  } else if (v_solid < 0.999) {
    float period = max(halfWidth * 4.2, 5.0);
    float dot_ = length(vec2(mod(a, period) - period * 0.5, v_point.y)) - halfWidth;
    drawn = min(max(dot_, a - neck), head);
  }
  float solid = stroke < 0.5 ? v_solid : 0.0;
  float shape = mix(cover(drawn), cover(whole), solid);
  float inner = mix(cover(drawn + v_marks.z), cover(whole + v_marks.z), solid);

  vec3 fill = forward ? v_forward.rgb : v_back.rgb;
  if (stroke > 1.5 && stroke < 2.5) {
    float stripe = step(3.0, mod(v_point.x + v_point.y, 6.0));
    fill = mix(u_hatch, fill, stripe);
  }
  vec3 colour = mix(v_outline.rgb, fill, inner / max(shape, 0.001));
  vec4 result = vec4(colour * shape, shape);

  if (v_marks.w > 0.5) {
    float ring = cover(whole - 3.5) - cover(whole - 1.5);
    result += vec4(u_accent * ring, ring) * (1.0 - result.a);
  }
  if (v_marks.x > 0.0) {
    float glow = v_marks.x * (1.0 - smoothstep(0.0, 7.0, y - halfWidth));
    result += vec4(u_halo * glow, glow) * (1.0 - result.a);
  }
  gl_FragColor = result * v_marks.y;
}
`;
