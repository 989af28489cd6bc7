import { expect, test } from "vitest";
import { arpHeadline, formatAddresses, formatPorts, parsePorts, parseSettings, formatSettings } from "./arp";
import { arpFabrics, arpSettings } from "@/mocks/arp";

test("settings are read as they are written", () => {
  const settings = { "ipv4.conf.arp_ignore": 1, "ipv4.neigh.gc_stale_time": 60 };
  expect(parseSettings(formatSettings(settings), arpSettings())).toEqual({ settings, mistakes: [] });
});

test("a line that is no setting is told in a sentence", () => {
  const { mistakes } = parseSettings(
    "ipv4.conf.arp_ignore = 99\nipv4.conf.rp_filter = 1\nnonsense",
    arpSettings(),
  );
  expect(mistakes).toEqual([
    "ipv4.conf.arp_ignore takes 0 to 8.",
    "ipv4.conf.rp_filter is not on the list of settings.",
    "“nonsense” is not name = number.",
  ]);
});

test("ports' own settings keep their order and are gathered by pattern", () => {
  const ports = [
    { pattern: "css0", settings: { "ipv4.conf.arp_ignore": 1 } },
    { pattern: "sp01:*", settings: { "ipv4.conf.arp_ignore": 2, "ipv4.neigh.gc_stale_time": 5 } },
  ];
  expect(parsePorts(formatPorts(ports), arpSettings())).toEqual({ ports, mistakes: [] });
  expect(parsePorts("css0", arpSettings()).mistakes).toHaveLength(1);
});

test("a fabric with a node at another address is in the headline, and what is missing is said", () => {
  const [, hippi] = arpFabrics();
  if (hippi === undefined) throw new Error("the mock has two fabrics");
  const text =
    "ARP is off; sp03 has 10.1.0.77 on css0, the site file says 10.1.0.3: with ARP off nobody finds it";
  expect(arpHeadline([{ ...hippi, state: "critical", state_text: text }])).toBe(`hippi: ${text}.`);
  expect([formatAddresses([]), formatAddresses(["10.1.0.77", "10.1.0.78"])]).toEqual([
    "none",
    "10.1.0.77, 10.1.0.78",
  ]);
});

test("a mixed fabric is the headline", () => {
  expect(arpHeadline(arpFabrics())).toContain("sp-switch: ARP is mixed");
  expect(arpHeadline(arpFabrics().filter(({ running }) => running !== "mixed"))).toBe(
    "Wherever nodes tell, ARP is on for all or off for all.",
  );
  const silent = arpFabrics().map((fabric) => ({
    ...fabric,
    running: "unknown" as const,
    state: "unknown" as const,
  }));
  expect(arpHeadline(silent)).toBe("No node has told of its ARP yet.");
  expect(arpHeadline([...arpFabrics().slice(1), ...silent.slice(0, 1)])).toBe(
    "Wherever nodes tell, ARP is on for all or off for all. Of sp-switch no node tells.",
  );
});
