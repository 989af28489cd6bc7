import { expect, test } from "vitest";
import { arpHeadline, formatAddresses, formatPorts, parsePorts, parseSettings, formatSettings } from "./arp";
import { arpFabrics, arpSettings } from "@/mocks/arp";

test("formatted settings parse to the same settings", () => {
  const settings = { "ipv4.conf.arp_ignore": 1, "ipv4.neigh.gc_stale_time": 60 };
  expect(parseSettings(formatSettings(settings), arpSettings())).toEqual({ settings, errors: [] });
});

test("an unknown or malformed line is an error", () => {
  const { errors } = parseSettings(
    "ipv4.conf.arp_ignore = 99\nipv4.conf.rp_filter = 1\nnonsense",
    arpSettings(),
  );
  expect(errors).toEqual([
    "ipv4.conf.arp_ignore must be between 0 and 8.",
    "ipv4.conf.rp_filter is not a known setting.",
    "“nonsense” must read name = number.",
  ]);
});

test("port settings keep their order and are grouped by pattern", () => {
  const ports = [
    { pattern: "css0", settings: { "ipv4.conf.arp_ignore": 1 } },
    { pattern: "sp01:*", settings: { "ipv4.conf.arp_ignore": 2, "ipv4.neigh.gc_stale_time": 5 } },
  ];
  expect(parsePorts(formatPorts(ports), arpSettings())).toEqual({ ports, errors: [] });
  expect(parsePorts("css0", arpSettings()).errors).toHaveLength(1);
});

test("the headline names a fabric with an address mismatch", () => {
  const [, hippi] = arpFabrics();
  if (hippi === undefined) throw new Error("the mock has two fabrics");
  const text =
    "ARP is off; sp03 has 10.1.0.77 on css0, the site file says 10.1.0.3: unreachable with ARP off";
  expect(arpHeadline([{ ...hippi, state: "critical", state_text: text }])).toBe(`hippi: ${text}.`);
  expect([formatAddresses([]), formatAddresses(["10.1.0.77", "10.1.0.78"])]).toEqual([
    "none",
    "10.1.0.77, 10.1.0.78",
  ]);
});

test("the headline names a fabric with mixed ARP", () => {
  expect(arpHeadline(arpFabrics())).toContain("sp-switch: ARP is mixed");
  expect(arpHeadline(arpFabrics().filter(({ running }) => running !== "mixed"))).toBe(
    "ARP is consistent on every reporting fabric.",
  );
  const silent = arpFabrics().map((fabric) => ({
    ...fabric,
    running: "unknown" as const,
    state: "unknown" as const,
  }));
  expect(arpHeadline(silent)).toBe("No node has reported its ARP state yet.");
  expect(arpHeadline([...arpFabrics().slice(1), ...silent.slice(0, 1)])).toBe(
    "ARP is consistent on every reporting fabric. No report from sp-switch.",
  );
});
