/**
 * Colour differences: CIELAB, CIEDE2000 and three kinds of colour blindness. For tests.
 *
 * Sources: IEC 61966-2-1 (sRGB), CIE 15 (Lab, D65), Sharma, Wu & Dalal 2005 (CIEDE2000 with their test pairs),
 * Machado, Oliveira & Fernandes 2009 (simulation matrices at severity 1.0, on linear RGB).
 */

export type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE = multiply(XYZ, [1, 1, 1]);

export const SIGHT: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function multiply(matrix: Matrix, [a, b, c]: Triple): Triple {
  const row = ([x, y, z]: Triple): number => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function linear(hex: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const curve = (value: number): number =>
  value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116;

/** CIELAB of `#rrggbb` as a person with this sight sees it. */
export function labOf(hex: string, sight: Matrix): Triple {
  const seen = multiply(sight, linear(hex)).map((value) => Math.min(1, Math.max(0, value)));
  const xyz = multiply(XYZ, [seen[0] ?? 0, seen[1] ?? 0, seen[2] ?? 0]);
  const [x, y, z] = [curve(xyz[0] / WHITE[0]), curve(xyz[1] / WHITE[1]), curve(xyz[2] / WHITE[2])];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const hue = (a: number, b: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

/** Mean of two hue angles, the short way round. */
function meanHue(h1: number, h2: number, chromaProduct: number): number {
  if (chromaProduct === 0) return h1 + h2;
  if (Math.abs(h1 - h2) <= 180) return (h1 + h2) / 2;
  return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

/** Difference of two hue angles, within -180..180 degrees. */
function hueStep(h1: number, h2: number, chromaProduct: number): number {
  if (chromaProduct === 0) return 0;
  const step = h2 - h1;
  if (step > 180) return step - 360;
  return step < -180 ? step + 360 : step;
}

/** CIEDE2000 between two CIELAB colours, kL = kC = kH = 1. */
export function deltaE2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [p1, p2] = [(1 + g) * a1, (1 + g) * a2];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const [h1, h2] = [c1 === 0 ? 0 : hue(p1, b1), c2 === 0 ? 0 : hue(p2, b2)];
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(hueStep(h1, h2, c1 * c2) / 2));
  const [l, c, h] = [(l1 + l2) / 2, (c1 + c2) / 2, meanHue(h1, h2, c1 * c2)];
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const rotation = 30 * Math.exp(-(((h - 275) / 25) ** 2));
  const rt = -Math.sin(radians(2 * rotation)) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [dl, dc, dh] = [(l2 - l1) / sl, (c2 - c1) / (1 + 0.045 * c), dH / (1 + 0.015 * c * t)];
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rt * dc * dh);
}

const luminance = (hex: string): number => multiply(XYZ, linear(hex))[1];

/** WCAG 2.2 contrast ratio of two `#rrggbb` colours, 1..21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
