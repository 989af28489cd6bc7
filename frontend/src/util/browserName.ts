/** `Firefox on Android`, from a user agent: how a person recognises a device. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

const first = (of: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  of.find(([pattern]) => pattern.test(agent))?.[1];

export function browserName(agent: string): string {
  const [browser, system] = [first(BROWSERS, agent) ?? "Browser", first(SYSTEMS, agent)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
