/** Comma-separated values by RFC 4180: exactly the rows that a table shows. */

export type CsvValue = string | number | boolean | null | undefined;

/** The text of a table, CRLF between lines; a cell that a spreadsheet would run as a formula is made plain text. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function field(value: CsvValue): string {
  if (value == null) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
