/**
 * Colours of the graph in both themes, except the ramp. WebGL cannot read style sheets, so tokens are repeated here;
 * `palette.test.ts` compares them with tokens.css and requires a contrast of 3:1 for marks. Severity colours mean state
 * only; the accent marks the selection.
 */

import type { Scheme } from "@/ui/ramp";
import type { Tone } from "../scene";

export interface Palette {
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  /** Outline of a line: keeps an empty, dark link visible. */
  readonly casing: string;
  /** Outline of a line that is nearly full. */
  readonly casingFull: string;
  readonly nodeFill: string;
  readonly unknownFill: string;
  readonly halo: string;
  readonly accent: string;
  readonly tone: Readonly<Record<Tone, string>>;
  /** Text on a filled badge of that tone. */
  readonly onTone: string;
}

export const PALETTES: Readonly<Record<Scheme, Palette>> = {
  dark: {
    surface: "#151d1f",
    text: "#e4ecec",
    muted: "#a3b3b6",
    casing: "#71848a",
    casingFull: "#fff3c4",
    nodeFill: "#222d30",
    unknownFill: "#8b999c",
    halo: "#c79bff",
    accent: "#4fc1bd",
    tone: { ok: "#a3b3b6", warning: "#e6b450", critical: "#ff8078", unknown: "#a3b1b4", disabled: "#8b999c" },
    onTone: "#151d1f",
  },
  light: {
    surface: "#ffffff",
    text: "#142022",
    muted: "#4a5a5d",
    casing: "#7d8b8d",
    casingFull: "#501903",
    nodeFill: "#edf1f1",
    unknownFill: "#6a7779",
    halo: "#8446c8",
    accent: "#0a6466",
    tone: { ok: "#4a5a5d", warning: "#8a5a00", critical: "#bd1f2d", unknown: "#566467", disabled: "#616e70" },
    onTone: "#ffffff",
  },
};
