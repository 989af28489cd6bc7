/** A block of a long table: the height of rows that are not rendered. */
import classes from "@/ui/table/DataTable.module.css";

interface Props {
  /** CSS pixels. */
  height: number;
  /** Number of the table's columns. */
  columns: number;
}

export function RowBlock({ height, columns }: Props) {
  return height === 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={columns} className={classes.space} style={{ height }}>
        {"\u00a0"}
      </td>
    </tr>
  );
}
