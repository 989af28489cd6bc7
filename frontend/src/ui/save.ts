/** Gives a person a text as a file. */

/** `name` is the proposed file name; `text` is stored as UTF-8 CSV. */
export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its copy once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
