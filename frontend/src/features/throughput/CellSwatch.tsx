/** Colour and glyph of a cell. */
import type { TestCell } from "@/api/throughput";
import classes from "./HeatTable.module.css";
import { shareOf } from "./matrix";
import { rampStyle } from "./ramp";
import { cellLabel } from "./labels";
import { rampClass } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";

export function CellSwatch({ cell, full }: { cell: TestCell; full: number }) {
  const share = shareOf(cell, full);
  return (
    <span
      className={classes.swatch}
      style={rampStyle(useScheme())}
      data-use={share === null ? "none" : rampClass(share)}
      aria-hidden="true"
    >
      {cellLabel(cell).glyph}
    </span>
  );
}
