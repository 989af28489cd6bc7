/** Marks a lab site and shows the scale of its rates. */
import { Popover } from "@mantine/core";
import classes from "./ScaleChip.module.css";

export function ScaleChip({ scale }: { scale: number }) {
  return (
    <Popover width={280} withinPortal={false} position="bottom-start">
      <Popover.Target>
        <button type="button" className={classes.chip}>
          lab {formatScale(scale)}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p>
          This site is a lab. Its links are shaped to {formatScale(scale)} of the rates of the real media so
          that it fits on one machine. Rates, capacities and thresholds are those of the lab; utilisation is
          as on the real network.
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

/** `scale` multiplies the real rates: 0.1 is `1:10`, 2 is `2:1`. */
export function formatScale(scale: number): string {
  const round = (value: number) => String(Math.round(value * 100) / 100);
  return scale < 1 ? `1:${round(1 / scale)}` : `${round(scale)}:1`;
}
