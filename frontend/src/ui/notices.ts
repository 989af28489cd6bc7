/** Short messages about what a person just did, or what failed to: one list, shown by Notices. */

export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

const SHOWN_MS = 8000;
const MOST = 4;

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

export function notify(tone: Notice["tone"], text: string): void {
  last += 1;
  const notice = { id: last, tone, text };
  change([...notices, notice].slice(-MOST));
  setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

export function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function current(): readonly Notice[] {
  return notices;
}

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
