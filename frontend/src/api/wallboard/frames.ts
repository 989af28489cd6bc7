/** Parses server-sent events (WHATWG HTML, section 9.2) from pieces of text. Pure; holds one incomplete frame at most. */

/** One message; `id` empty: it has none. */
export interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** A frame of all links of a large site is about 2 MB. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class FrameParser {
  private rest = "";

  /** Characters that wait for the end of their frame. */
  get waiting(): number {
    return this.rest.length;
  }

  /** The frames that `text` completes; throws if one has no end. Comments are no frames. */
  push(text: string): Frame[] {
    const parts = (this.rest + text).split("\n\n");
    this.rest = parts.pop() ?? "";
    if (this.rest.length > MOST_CHARACTERS) throw new Error("A message of the live stream has no end.");
    return parts.map(frameOf).filter((frame) => frame !== null);
  }
}

function frameOf(text: string): Frame | null {
  const fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "");
  }
  const { event = "message", data, id = "" } = fields;
  return data === undefined ? null : { event, data, id };
}
