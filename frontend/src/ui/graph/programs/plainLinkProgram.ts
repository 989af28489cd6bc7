/**
 * Thin links: two flat coloured halves without outline and arrowheads, which are invisible below two px of width. In
 * software rendering the full shader takes ten times as long per pixel.
 */

import type { Attributes } from "graphology-types";
import { EdgeProgram, type EdgeProgramType, type ProgramInfo } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";

import type { LinkLook } from "./linkProgram";
import { hasGapsIn } from "./linkShader";
import { FLOAT, rectangle, setView, TRIANGLES, UNSIGNED_BYTE } from "./webgl";

// language=GLSL
const VERTEX = /*glsl*/ `
attribute vec3 a_corner;   // 0..2 along: source, middle, target; -1 or 1 across; which half
attribute vec4 a_ends;
attribute vec4 a_shape;    // width, shift to the right of travel, 1 where the line has gaps, alpha
attribute vec4 a_forward;
attribute vec4 a_back;

uniform mat3 u_matrix;
uniform vec2 u_size;
uniform float u_sizeRatio;

varying vec4 v_colour;
varying vec3 v_place;      // px along, px across, half width; along is below zero for a whole line

void main() {
  vec2 source = (u_matrix * vec3(a_ends.xy, 1.0)).xy * 0.5 * u_size;
  vec2 target = (u_matrix * vec3(a_ends.zw, 1.0)).xy * 0.5 * u_size;
  float len = max(length(target - source), 0.001);
  vec2 along = (target - source) / len;
  vec2 right = vec2(along.y, -along.x);
  float halfWidth = max(a_shape.x / u_sizeRatio, 1.2) * 0.5;
  float reach = halfWidth + 0.5;
  float at = len * 0.5 * a_corner.x;
  vec2 point = source + right * (a_shape.y / u_sizeRatio + a_corner.y * reach) + along * at;
  gl_Position = vec4(point / (0.5 * u_size), 0.0, 1.0);
  v_place = vec3(a_shape.z > 0.5 ? at : -1.0, a_corner.y * reach, halfWidth);
  v_colour = (a_corner.z < 0.5 ? a_forward : a_back) * a_shape.w;
}
`;

// language=GLSL
const FRAGMENT = /*glsl*/ `
precision mediump float;
varying vec4 v_colour;
varying vec3 v_place;

void main() {
  float gap = v_place.x < 0.0 ? 1.0 : step(mod(v_place.x, 6.0), 3.0);
  gl_FragColor = v_colour * (gap * clamp(v_place.z + 0.5 - abs(v_place.y), 0.0, 1.0));
}
`;

const UNIFORMS = ["u_matrix", "u_size", "u_sizeRatio"] as const;
type Uniform = (typeof UNIFORMS)[number];

export function createPlainLinkProgram<N extends Attributes, E extends LinkLook>(): EdgeProgramType<N, E> {
  return class PlainLinkProgram extends EdgeProgram<Uniform, N, E> {
    override getDefinition() {
      return {
        VERTICES: 12,
        VERTEX_SHADER_SOURCE: VERTEX,
        FRAGMENT_SHADER_SOURCE: FRAGMENT,
        METHOD: TRIANGLES,
        UNIFORMS,
        ATTRIBUTES: [
          { name: "a_ends", size: 4, type: FLOAT },
          { name: "a_shape", size: 4, type: FLOAT },
          { name: "a_forward", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_back", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 3, type: FLOAT }],
        CONSTANT_DATA: [...rectangle(0, 1, 0), ...rectangle(1, 2, 1)],
      };
    }

    override processVisibleItem(
      _index: number,
      start: number,
      source: NodeDisplayData,
      target: NodeDisplayData,
      data: EdgeDisplayData,
    ): void {
      const look = data as EdgeDisplayData & LinkLook;
      const hasGaps = hasGapsIn(look);
      this.array.set(
        [
          source.x,
          source.y,
          target.x,
          target.y,
          look.size,
          look.shift,
          hasGaps ? 1 : 0,
          look.alpha,
          floatColor(look.forwardColour),
          floatColor(look.backColour),
        ],
        start,
      );
    }

    override setUniforms(params: RenderParams, program: ProgramInfo<Uniform>): void {
      setView(params, program);
    }
  };
}
