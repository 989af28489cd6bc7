"""Make the baselines of the pages small: lossless WebP of at most 256 colours.

They differ from the screenshots by far less than the comparison notices (threshold in
frontend/e2e/mock/playwright.config.ts). An image that has few colours already is left alone, so that only
baselines that were taken again change.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PIL import Image

COLOURS = 256


def reduce(path: Path) -> None:
    """Write the image again with fewer colours, unless it has no more."""
    with Image.open(path) as picture:
        pixels = picture.convert("RGB")
    if pixels.getcolors(COLOURS) is not None:
        return
    few = pixels.quantize(palette=_most_used(pixels), dither=Image.Dither.NONE)
    few.convert("RGB").save(path, "WEBP", lossless=True, quality=100, method=4)


def _most_used(pixels: Image.Image) -> Image.Image:
    """A palette of the colours that most pixels have: areas keep theirs, and only edges of letters change."""
    counted: list[tuple[int, Any]] = pixels.getcolors(pixels.width * pixels.height) or []
    colours = [colour for _, colour in sorted(counted, key=lambda item: item[0], reverse=True)[:COLOURS]]
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in colour])
    return palette


def main(folder: Path) -> None:
    """Reduce every baseline of the folder, and print their total size."""
    paths = sorted(folder.glob("*.webp"))
    for path in paths:
        reduce(path)
    print(f"{len(paths)} baselines, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
