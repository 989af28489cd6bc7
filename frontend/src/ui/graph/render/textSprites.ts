/**
 * Cache of text with a halo: outlining text at every frame is the most expensive operation of the 2D canvas.
 */

import { LINE_HEIGHT } from "./labelPlacement";

interface TextStyle {
  readonly font: string;
  readonly colour: string;
  readonly halo: string;
}

const MARGIN = 3;
const BASELINE = 12;
const MOST_SPRITES = 4000;

export class TextSprites {
  private readonly sprites = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();

  /** Width of the text in CSS px, without rendering a sprite: many labels have no room. */
  width(text: string, { font }: TextStyle, context: CanvasRenderingContext2D): number {
    const key = `${font} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (this.widths.size >= MOST_SPRITES) this.widths.clear();
    context.font = font;
    const { width } = context.measureText(text);
    this.widths.set(key, width);
    return width;
  }

  /** The sprite of a text, rendered at the first call for this style and pixel density. */
  get(text: string, style: TextStyle, width: number): HTMLCanvasElement {
    const key = `${devicePixelRatio} ${style.font} ${style.colour} ${text}`;
    const known = this.sprites.get(key);
    if (known) return known;
    if (this.sprites.size >= MOST_SPRITES) this.sprites.clear();
    const sprite = makeSprite(text, style, width);
    this.sprites.set(key, sprite);
    return sprite;
  }

  /** Clears the cache after the page's font was loaded. */
  clear(): void {
    this.widths.clear();
    this.sprites.clear();
  }
}

function makeSprite(text: string, { font, colour, halo }: TextStyle, width: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  canvas.width = Math.ceil((width + 2 * MARGIN) * devicePixelRatio);
  canvas.height = Math.ceil((LINE_HEIGHT + 2 * MARGIN) * devicePixelRatio);
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = font;
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = halo;
  context.fillStyle = colour;
  context.strokeText(text, MARGIN, MARGIN + BASELINE);
  context.fillText(text, MARGIN, MARGIN + BASELINE);
  return canvas;
}

/** Draws a sprite with its text at left and top, on whole device pixels. */
export function drawSprite(
  context: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  left: number,
  top: number,
): void {
  const snap = (px: number): number => Math.round(px * devicePixelRatio) / devicePixelRatio;
  context.drawImage(
    canvas,
    snap(left - MARGIN),
    snap(top - MARGIN),
    canvas.width / devicePixelRatio,
    canvas.height / devicePixelRatio,
  );
}
