/**
 * Combines two edge programs: full detail for wide lines, plain lines for thin ones; selected at each frame by the zoom.
 */

import type { Attributes } from "graphology-types";
import type { Sigma } from "sigma";
import type { EdgeProgramType } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";

import { createLinkProgram, type LinkColours, type LinkLook } from "./linkProgram";
import { createPlainLinkProgram } from "./plainLinkProgram";

/** `none`: the fallback painter draws the links. */
export type Detail = "full" | "plain" | "none";

/** A program class; calls `detail` at each frame with sigma's size ratio. */
export function createDetailedLinkProgram<N extends Attributes, E extends LinkLook>(
  colours: () => LinkColours,
  detail: (sizeRatio: number) => Detail,
): EdgeProgramType<N, E> {
  const [Full, Plain] = [createLinkProgram<N, E>(colours), createPlainLinkProgram<N, E>()];
  return class DetailedLinkProgram {
    readonly drawLabel = undefined;
    private readonly full: InstanceType<EdgeProgramType<N, E>>;
    private readonly plain: InstanceType<EdgeProgramType<N, E>>;

    constructor(gl: WebGLRenderingContext, picking: WebGLFramebuffer | null, sigma: Sigma<N, E>) {
      this.full = new Full(gl, picking, sigma);
      this.plain = new Plain(gl, picking, sigma);
    }

    reallocate(capacity: number): void {
      this.full.reallocate(capacity);
      this.plain.reallocate(capacity);
    }

    process(
      index: number,
      offset: number,
      source: NodeDisplayData,
      target: NodeDisplayData,
      data: EdgeDisplayData,
    ): void {
      this.full.process(index, offset, source, target, data);
      this.plain.process(index, offset, source, target, data);
    }

    render(params: RenderParams): void {
      const wanted = detail(params.sizeRatio);
      if (wanted !== "none") this[wanted].render(params);
    }

    kill(): void {
      this.full.kill();
      this.plain.kill();
    }
  };
}
