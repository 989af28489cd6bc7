/**
 * The edge program that passes each link's attributes to `linkShader.ts`.
 *
 * Sigma calls `processVisibleItem` once per changed link and draws all of them in one instanced call.
 */

import type { Attributes } from "graphology-types";
import { EdgeProgram, type EdgeProgramType, type ProgramInfo } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";

import { LINK_FRAGMENT, LINK_VERTEX } from "./linkShader";
import { FLOAT, rectangle, setView, TRIANGLES, unitColour, UNSIGNED_BYTE } from "./webgl";

/** Edge attributes beyond sigma's own. */
export interface LinkLook {
  size: number;
  shift: number;
  stroke: number;
  /** 1: solid, 0: dotted; in between during a transition. */
  solid: number;
  halo: number;
  alpha: number;
  outline: number;
  selected: number;
  forwardColour: string;
  backColour: string;
  outlineColour: string;
}

export interface LinkColours {
  readonly halo: string;
  readonly accent: string;
  readonly surface: string;
}

const UNIFORMS = [
  "u_matrix",
  "u_size",
  "u_sizeRatio",
  "u_pixelRatio",
  "u_halo",
  "u_accent",
  "u_hatch",
] as const;
type Uniform = (typeof UNIFORMS)[number];

/** A program class bound to a source of theme colours, read at each frame so that a theme switch needs no rebuild. */
export function createLinkProgram<N extends Attributes, E extends LinkLook>(
  colours: () => LinkColours,
): EdgeProgramType<N, E> {
  return class LinkProgram extends EdgeProgram<Uniform, N, E> {
    override getDefinition() {
      return {
        VERTICES: 18,
        VERTEX_SHADER_SOURCE: LINK_VERTEX,
        FRAGMENT_SHADER_SOURCE: LINK_FRAGMENT,
        METHOD: TRIANGLES,
        UNIFORMS,
        ATTRIBUTES: [
          { name: "a_ends", size: 4, type: FLOAT },
          { name: "a_shape", size: 4, type: FLOAT },
          { name: "a_marks", size: 4, type: FLOAT },
          { name: "a_forward", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_back", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_outline", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 3, type: FLOAT }],
        CONSTANT_DATA: [...rectangle(0, 1, 0), ...rectangle(1, 2, 1), ...rectangle(2, 3, 0)],
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
      this.array.set(
        [
          source.x,
          source.y,
          target.x,
          target.y,
          look.size,
          look.shift,
          look.stroke,
          look.solid,
          look.halo,
          look.alpha,
          look.outline,
          look.selected,
          floatColor(look.forwardColour),
          floatColor(look.backColour),
          floatColor(look.outlineColour),
        ],
        start,
      );
    }

    override setUniforms(params: RenderParams, program: ProgramInfo<Uniform>): void {
      const { gl, uniformLocations } = program;
      const theme = colours();
      setView(params, program);
      gl.uniform1f(uniformLocations.u_pixelRatio, params.pixelRatio);
      gl.uniform3fv(uniformLocations.u_halo, unitColour(theme.halo));
      gl.uniform3fv(uniformLocations.u_accent, unitColour(theme.accent));
      gl.uniform3fv(uniformLocations.u_hatch, unitColour(theme.surface));
    }
  };
}
