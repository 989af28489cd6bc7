// Vite plugin: the Latin font with the weights that the pages use, in two files: the characters that every page has, and
// the others, which a browser loads only where one of them is displayed. Every browser loads the first: 22 of 48 kB.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const LATIN = /inter-latin-wght-normal[^/]*\.woff2$/;
/** The weights of the style sheets. */
const WEIGHTS = { wght: { min: 400, max: 700 } };

type Ranges = readonly (readonly [number, number])[];

/** ASCII, and the signs of the pages' own text: spaces, `·`, `×`, `°`, `µ`, dashes, quotes, `…`, arrows and minus. */
const COMMON: Ranges = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0xb0, 0xb1],
  [0xb5, 0xb5],
  [0xb7, 0xb7],
  [0xd7, 0xd7],
  [0x2009, 0x2009],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026, 0x2026],
  [0x202f, 0x202f],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
];
/** All characters that the font's style sheet promises: `unicode-range` of the Latin part. */
const ALL: Ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
];

const codePoints = (ranges: Ranges): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

const common = codePoints(COMMON);
const others = codePoints(ALL).filter((one) => !common.includes(one));

/** `U+20,U+21`: a value of `unicode-range`. */
const unicodeRange = (characters: readonly number[]): string =>
  characters.map((one) => `U+${one.toString(16).toUpperCase()}`).join(",");

export function trimmedFont(): Plugin {
  return {
    name: "trimmed-font",
    apply: "build",
    async generateBundle(_options, bundle) {
      const whole = Object.keys(bundle).find((name) => LATIN.test(name));
      if (whole === undefined)
        return this.error("The Latin font was not found: pages would load all its weights.");
      const font = bundle[whole];
      if (font?.type !== "asset") return this.error(`${whole} is not a file`);
      const content = Buffer.from(font.source);
      const part = async (name: string, characters: readonly number[]) => {
        const source = await subsetFont(content, String.fromCodePoint(...characters), {
          targetFormat: "woff2",
          variationAxes: WEIGHTS,
        });
        // Named by its content, because browsers keep it for a year.
        const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
        const fileName = `assets/${name}-${hash}.woff2`;
        this.emitFile({ type: "asset", fileName, source });
        return { fileName: basename(fileName), range: unicodeRange(characters) };
      };
      const parts = [await part("inter-latin", common), await part("inter-latin-others", others)];
      delete bundle[whole];
      const rule = new RegExp(`@font-face\\s*\\{[^}]*${basename(whole).replaceAll(".", "\\.")}[^}]*\\}`);
      const inParts = (face: string) =>
        parts
          .map(({ fileName, range }) =>
            face.replace(basename(whole), fileName).replace(/unicode-range:[^;}]*/, `unicode-range:${range}`),
          )
          .join("");
      for (const file of Object.values(bundle))
        if (file.type === "asset" && file.fileName.endsWith(".css"))
          file.source = String(file.source).replace(rule, inParts);
    },
  };
}
