/** High contrast: stronger colours for text, lines and states, in both themes (`tokens.css`). */
import { choiceOf } from "@/util/choice";

const wanted = (): "more" | "normal" =>
  globalThis.matchMedia?.("(prefers-contrast: more)").matches ? "more" : "normal";

/** Until someone chooses, what the system prefers. */
export const contrastChoice = choiceOf("backstay.contrast", ["normal", "more"], wanted);

/** Keeps the document's attribute, which the colours follow. */
export function followContrast(root: HTMLElement): void {
  const apply = () => {
    root.dataset["contrast"] = contrastChoice.get();
  };
  apply();
  contrastChoice.subscribe(apply);
}
