/**
 * Text with a halo, drawn once and then copied. A map shows the same names at every frame; outlining letters is the most
 * expensive thing a 2D canvas does.
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

  /** Of the text alone, CSS px; without making its sprite, because many names find no room. */
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

  /** The sprite of a text; made at the first call, for this style and pixel density. */
  get(text: string, style: TextStyle, width: number): HTMLCanvasElement {
    const key = `${devicePixelRatio} ${style.font} ${style.colour} ${text}`;
    const known = this.sprites.get(key);
    if (known) return known;
    if (this.sprites.size >= MOST_SPRITES) this.sprites.clear();
    const sprite = makeSprite(text, style, width);
    this.sprites.set(key, sprite);
    return sprite;
  }

  /** Forgets all, because the page's font has come. */
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

/** Puts a sprite so that its text begins at the left and top given, on whole device pixels. */
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
