/** What the map is asked for: fabric, least load, a name, the paths of a node or policy; and map or table. */

import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";

import type { Topology } from "@/api/types";
import { count } from "@/util/units";
import { asksForLinks, asksForPaths } from "./asked";
import type { Drawn } from "./drawn";
import classes from "./MapPage.module.css";
import type { MapData } from "./useMapData";
import type { MapState } from "./useMapState";

interface Props {
  topology: Topology;
  data: MapData;
  state: MapState;
  drawn: Drawn;
  /** Links that answer to the filters; null when none is set. */
  matching: number | null;
}

const LOADS = [
  { value: "", label: "Any load" },
  ...[1, 10, 25, 40, 55, 70, 85].map((percent) => ({ value: String(percent), label: `≥ ${percent} %` })),
];

const unique = (values: readonly string[]): string[] => [...new Set(values)];
const choices = (any: string, values: readonly string[]): { value: string; label: string }[] => [
  { value: "", label: any },
  ...unique(values).map((value) => ({ value, label: value })),
];

export function Filters({ topology, data, state, drawn, matching }: Props) {
  const { asked, setFilter } = state;
  const load = asked.load > 0 ? String(Math.round(asked.load * 100)) : "";
  const loads = LOADS.some(({ value }) => value === load)
    ? LOADS
    : [...LOADS, { value: load, label: `≥ ${load} %` }];
  const pathsOfNode = data.paths.filter((path) => asked.node === "" || path.node === asked.node);
  return (
    <div className={classes.filters} role="group" aria-label="Filters of the map">
      <NativeSelect
        size="xs"
        aria-label="Fabric"
        value={asked.fabric}
        data={choices(
          "Any fabric",
          topology.links.map(({ fabric }) => fabric),
        )}
        onChange={(event) => setFilter("fabric", event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Least load"
        value={load}
        data={loads}
        onChange={(event) => setFilter("load", event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="search"
        aria-label="Search nodes and links"
        placeholder="Search"
        value={asked.search}
        onChange={(event) => setFilter("q", event.currentTarget.value)}
        className={classes.search}
      />
      <NativeSelect
        size="xs"
        aria-label="Paths of"
        value={asked.node}
        data={choices(
          "Paths of …",
          data.paths.map(({ node }) => node),
        )}
        onChange={(event) => setFilter("node", event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Policy"
        value={asked.policy}
        data={choices(
          "Any policy",
          pathsOfNode.map(({ policy }) => policy),
        )}
        onChange={(event) => setFilter("policy", event.currentTarget.value)}
      />
      {(asksForLinks(asked) || asksForPaths(asked)) && (
        <Button size="xs" variant="default" onClick={state.clear}>
          Clear
        </Button>
      )}
      {state.open.size > 0 && (
        <Button size="xs" variant="default" onClick={() => state.setOpen([])}>
          Fold groups
        </Button>
      )}
      {matching !== null && (
        <span className="dim" role="status">
          {matching} of {count(drawn.links.length, "link")}
        </span>
      )}
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        value={state.table ? "table" : "map"}
        onChange={(value) => state.setTable(value === "table")}
        data={[
          { value: "map", label: "Map" },
          { value: "table", label: "Table" },
        ]}
      />
    </div>
  );
}
