/** Says on every page that a lab's rates are not the real media's, and by how much. */
import { Popover } from "@mantine/core";
import { scaleWords } from "./scale";
import classes from "./ScaleChip.module.css";

export function ScaleChip({ scale }: { scale: number }) {
  return (
    <Popover width={280} withinPortal={false} position="bottom-start">
      <Popover.Target>
        <button type="button" className={classes.chip}>
          lab {scaleWords(scale)}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p>
          This site is a lab. Its links are shaped to {scaleWords(scale)} of the real media's rates, so that
          the whole complex fits on one machine. Every rate, capacity and threshold shown is the lab's; shares
          of capacity are as on the real network.
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
