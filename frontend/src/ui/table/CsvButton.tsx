/** Downloads rows as a CSV file. */
import { useState } from "react";
import { Icon } from "@/ui/Icon";
import { csvOf, type Column } from "@/ui/table/columns";
import classes from "@/ui/table/DataTable.module.css";

interface Props<Row> {
  /** In lower case the name of the file. */
  label: string;
  /** What the file has: `all matching links`. */
  of: string;
  columns: readonly Column<Row>[];
  disabled: boolean;
  read: () => Promise<readonly Row[]>;
}

export function CsvButton<Row>({ label, of, columns, disabled, read }: Props<Row>) {
  const [isBusy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void read()
      .then((rows) => save(`${label.toLowerCase().replaceAll(" ", "-")}.csv`, csvOf(rows, columns)))
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" className={`chip ${classes.csv}`} disabled={disabled || isBusy} onClick={press}>
      <Icon name="download" size={14} /> CSV
      <span className="visually-hidden"> of {of}</span>
    </button>
  );
}

/** Downloads `text` as a UTF-8 CSV file. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has copied the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
