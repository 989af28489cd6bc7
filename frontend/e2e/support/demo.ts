// URL and accounts of the demo, from the file that `make demo` writes.
import { readFileSync } from "node:fs";

interface Person {
  user: string;
  password: string;
  token: string;
}

export interface Demo extends Person {
  url: string;
  /** The approver. */
  second: Person;
}

/** The demo of BACKSTAY_DEMO_JSON; without it, the development server with its mock API. */
export function demo(): Demo {
  const path = process.env.BACKSTAY_DEMO_JSON;
  if (path === undefined) {
    const anyone = { user: "demo", password: "demo", token: "" };
    return { url: `http://127.0.0.1:${process.env.PORT ?? "5173"}`, ...anyone, second: anyone };
  }
  return JSON.parse(readFileSync(path, "utf8")) as Demo;
}
