/** The node program that passes each node's attributes to `nodeShader.ts`. */

import type { Attributes } from "graphology-types";
import type { Sigma } from "sigma";
import { NodeProgram, type NodeProgramType, type ProgramInfo } from "sigma/rendering";
import type { NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";

import type { LinkColours } from "./linkProgram";
import { NODE_FRAGMENT, NODE_VERTEX } from "./nodeShader";
import { FLOAT, setView, TRIANGLES, unitColour, UNSIGNED_BYTE } from "./webgl";

/** Node attributes beyond sigma's own. */
export interface NodeLook {
  x: number;
  y: number;
  size: number;
  glyph: number;
  halo: number;
  ring: number;
  fillColour: string;
  borderColour: string;
}

const UNIFORMS = ["u_matrix", "u_size", "u_sizeRatio", "u_pixelRatio", "u_halo", "u_accent"] as const;
type Uniform = (typeof UNIFORMS)[number];

/** A program class bound to a source of theme colours, read at each frame so that a theme switch needs no rebuild. */
export function createNodeProgram<N extends NodeLook, E extends Attributes>(
  colours: () => LinkColours,
): NodeProgramType<N, E> {
  return class GlyphProgram extends NodeProgram<Uniform, N, E> {
    /** Without a picking buffer: `hit.ts` tests hits by arithmetic. */
    constructor(gl: WebGLRenderingContext, _picking: WebGLFramebuffer | null, sigma: Sigma<N, E>) {
      super(gl, null, sigma);
    }

    override getDefinition() {
      return {
        VERTICES: 6,
        VERTEX_SHADER_SOURCE: NODE_VERTEX,
        FRAGMENT_SHADER_SOURCE: NODE_FRAGMENT,
        METHOD: TRIANGLES,
        UNIFORMS,
        ATTRIBUTES: [
          { name: "a_centre", size: 2, type: FLOAT },
          { name: "a_look", size: 4, type: FLOAT },
          { name: "a_fill", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_border", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 2, type: FLOAT }],
        CONSTANT_DATA: [
          [-1, -1],
          [1, -1],
          [-1, 1],
          [-1, 1],
          [1, -1],
          [1, 1],
        ],
      };
    }

    override processVisibleItem(_index: number, start: number, data: NodeDisplayData): void {
      const look = data as NodeDisplayData & NodeLook;
      this.array.set(
        [
          look.x,
          look.y,
          look.size,
          look.glyph,
          look.halo,
          look.ring,
          floatColor(look.fillColour),
          floatColor(look.borderColour),
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
    }
  };
}
