/** Filters of the map: fabric, minimum load, name, paths of a node or policy; and the choice of map or table. */

import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";

import type { Topology } from "@/api/types";
import { count } from "@/util/units";
import { hasLinkFilter, hasPathFilter } from "./mapFilters";
import type { MapModel } from "./mapModel";
import classes from "./MapPage.module.css";
import type { MapData } from "./useMapData";
import type { MapState } from "./useMapState";

interface Props {
  topology: Topology;
  data: MapData;
  state: MapState;
  model: MapModel;
  /** Number of matching links; null without a filter. */
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

export function Filters({ topology, data, state, model, matching }: Props) {
  const { filters, setFilter } = state;
  const load = filters.load > 0 ? String(Math.round(filters.load * 100)) : "";
  const loads = LOADS.some(({ value }) => value === load)
    ? LOADS
    : [...LOADS, { value: load, label: `≥ ${load} %` }];
  const pathsOfNode = data.paths.filter((path) => filters.node === "" || path.node === filters.node);
  return (
    <div className={classes.filters} role="group" aria-label="Map filters">
      <NativeSelect
        size="xs"
        aria-label="Fabric"
        value={filters.fabric}
        data={choices(
          "All fabrics",
          topology.links.map(({ fabric }) => fabric),
        )}
        onChange={(event) => setFilter("fabric", event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Minimum load"
        value={load}
        data={loads}
        onChange={(event) => setFilter("load", event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="search"
        aria-label="Search nodes and links"
        placeholder="Search"
        value={filters.search}
        onChange={(event) => setFilter("q", event.currentTarget.value)}
        className={classes.search}
      />
      <NativeSelect
        size="xs"
        aria-label="Paths of"
        value={filters.node}
        data={choices(
          "Paths of any node",
          data.paths.map(({ node }) => node),
        )}
        onChange={(event) => setFilter("node", event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Policy"
        value={filters.policy}
        data={choices(
          "All policies",
          pathsOfNode.map(({ policy }) => policy),
        )}
        onChange={(event) => setFilter("policy", event.currentTarget.value)}
      />
      {(hasLinkFilter(filters) || hasPathFilter(filters)) && (
        <Button size="xs" variant="default" onClick={state.clear}>
          Clear
        </Button>
      )}
      {state.open.size > 0 && (
        <Button size="xs" variant="default" onClick={() => state.setOpen([])}>
          Collapse groups
        </Button>
      )}
      {matching !== null && (
        <span className="dim" role="status">
          {matching} of {count(model.links.length, "link")}
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
