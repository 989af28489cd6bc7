/**
 * Draws links during camera motion in software rendering, on a canvas below sigma's, with `raster.ts`.
 */

import { hasGapsIn } from "../programs/linkShader";
import { mix } from "./styles";
import type { Palette } from "./palette";
import { drawLine, pixelColour, type RasterLine } from "./raster";
import type { ScreenLink } from "../screen";
import type { LinkAttributes } from "../store";

/** Links that emulated WebGL paints within one frame. */
const FEW_LINKS = 60;
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether the WebGL context is emulated by the CPU. */
export function isSoftware(canvas: HTMLCanvasElement | undefined): boolean {
  const gl = canvas?.getContext("webgl2") ?? canvas?.getContext("webgl");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return gl && info ? SOFTWARE.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))) : false;
}

interface DrawnScreenLink {
  readonly screen: ScreenLink;
  readonly look: LinkAttributes;
}

export class StandIn {
  /** Whether this painter draws the links instead of the shader. */
  active = false;
  private readonly context: CanvasRenderingContext2D | null;
  private image: ImageData | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly slow: boolean,
  ) {
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    canvas.style.display = "none";
  }

  /** Camera motion started or ended; returns whether the painter changes. */
  setMoving(moving: boolean, links: number): boolean {
    const wanted = moving && this.slow && links > FEW_LINKS && this.context !== null;
    const changed = wanted !== this.active;
    this.active = wanted;
    if (changed) this.canvas.style.display = wanted ? "block" : "none";
    return changed;
  }

  /** Draws the links; the size is in CSS px. */
  draw(links: readonly DrawnScreenLink[], palette: Palette, size: { width: number; height: number }): void {
    const [width, height] = [
      Math.round(size.width * devicePixelRatio),
      Math.round(size.height * devicePixelRatio),
    ];
    if (!this.context || width === 0 || height === 0) return;
    if (this.image?.width !== width || this.image.height !== height) {
      [this.canvas.width, this.canvas.height] = [width, height];
      this.image = this.context.createImageData(width, height);
    }
    const area = { pixels: new Uint32Array(this.image.data.buffer), width, height };
    area.pixels.fill(0);
    const colours = new Map<string, number>();
    for (const { screen, look } of links.toSorted((a, b) => a.look.zIndex - b.look.zIndex)) {
      for (const line of halves(screen, look, palette, colours)) drawLine(area, line);
    }
    this.context.putImageData(this.image, 0, 0);
  }
}

function halves(
  { from, to, width }: ScreenLink,
  look: LinkAttributes,
  palette: Palette,
  colours: Map<string, number>,
): RasterLine[] {
  const colourOf = (hex: string): number => {
    const key = look.alpha < 1 ? mix(palette.surface, hex, look.alpha) : hex;
    const known = colours.get(key) ?? pixelColour(key);
    colours.set(key, known);
    return known;
  };
  const scale = devicePixelRatio;
  const [mx, my] = [((from.x + to.x) / 2) * scale, ((from.y + to.y) / 2) * scale];
  const common = { width: width * scale, hasGaps: hasGapsIn(look) };
  return [
    {
      ...common,
      x0: from.x * scale,
      y0: from.y * scale,
      x1: mx,
      y1: my,
      colour: colourOf(look.forwardColour),
    },
    { ...common, x0: to.x * scale, y0: to.y * scale, x1: mx, y1: my, colour: colourOf(look.backColour) },
  ];
}
