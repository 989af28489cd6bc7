import { describe, expect, test } from "vitest";

import { clip, drawLine, pixelColour, type RasterLine } from "./raster";

const RED = pixelColour("#ff0000");

/** The area as text, one character a pixel. */
function drawn(lines: readonly Partial<RasterLine>[], width = 8, height = 4): string[] {
  const area = { pixels: new Uint32Array(width * height), width, height };
  for (const line of lines)
    drawLine(area, { x0: 0, y0: 0, x1: 0, y1: 0, width: 1, colour: RED, hasGaps: false, ...line });
  return Array.from({ length: height }, (_, row) =>
    [...area.pixels.subarray(row * width, (row + 1) * width)]
      .map((pixel) => (pixel === RED ? "#" : "."))
      .join(""),
  );
}

describe("a line of pixels", () => {
  test("is drawn horizontally, vertically and diagonally from either end", () => {
    expect(drawn([{ x0: 1, y0: 1, x1: 5, y1: 1 }])).toEqual(["........", ".#####..", "........", "........"]);
    expect(drawn([{ x0: 2, y0: 3, x1: 2, y1: 0 }])).toEqual(["..#.....", "..#.....", "..#.....", "..#....."]);
    expect(drawn([{ x0: 0, y0: 0, x1: 3, y1: 3 }])).toEqual(["#.......", ".#......", "..#.....", "...#...."]);
  });

  test("has its width perpendicular to its direction", () => {
    expect(
      drawn([{ x0: 0, y0: 2, x1: 7, y1: 2, width: 2 }]).filter((row) => row === "########"),
    ).toHaveLength(2);
  });

  test("is clipped at the edges of the area", () => {
    expect(drawn([{ x0: -100, y0: 1, x1: 100, y1: 1 }])[1]).toBe("########");
    expect(drawn([{ x0: -5, y0: -5, x1: 20, y1: -5 }])).toEqual(drawn([]));
  });

  test("has gaps if it is standby or down", () => {
    expect(drawn([{ x0: 0, y0: 0, x1: 20, y1: 0, hasGaps: true }], 20, 1)).toEqual(["######......######.."]);
  });

  test("of zero length draws nothing", () => {
    expect(
      drawn([{ x0: 3, y0: 3, x1: 3, y1: 3 }])
        .join("")
        .replaceAll(".", "").length,
    ).toBeLessThanOrEqual(1);
  });
});

test("clipping keeps the part inside the area plus the line width", () => {
  expect(clip({ x0: 0, y0: 0, x1: 100, y1: 0, width: 0 }, { width: 50, height: 10 })).toEqual([0, 0.5]);
  expect(clip({ x0: 0, y0: 30, x1: 100, y1: 30, width: 1 }, { width: 50, height: 10 })).toBeNull();
});

test("encodes a colour as a canvas pixel, alpha first", () => {
  expect(pixelColour("#123456").toString(16)).toBe("ff563412");
});
