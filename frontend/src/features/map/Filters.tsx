/** Filters of the map: fabric, minimum load, name, paths of a node or policy; and the choice of map or table. */

import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";

import { nodesList } from "@/api/queries";
import type { Topology } from "@/api/types";
import { useNames } from "@/api/useNames";
import { NamePicker } from "@/ui/NamePicker";
import { count } from "@/util/units";
import { isLarge } from "./nodeGroups";
import { hasLinkFilter, hasPathFilter } from "./mapFilters";
import type { MapModel } from "./mapModel";
import classes from "./MapPage.module.css";
import type { Grouping } from "./useGroups";
import type { MapData } from "./useMapData";
import type { MapState } from "./useMapState";

interface Props {
  topology: Topology;
  data: MapData;
  state: MapState;
  model: MapModel;
  /** Number of matching links; null without a filter. */
  matching: number | null;
  grouping: Grouping;
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

export function Filters({ topology, data, state, model, matching, grouping }: Props) {
  const { filters, setFilter } = state;
  const load = filters.load > 0 ? String(Math.round(filters.load * 100)) : "";
  const loads = LOADS.some(({ value }) => value === load)
    ? LOADS
    : [...LOADS, { value: load, label: `≥ ${load} %` }];
  const large = isLarge(topology.nodes);
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
      {large ? (
        <NodePicker site={topology.site.name} state={state} />
      ) : (
        <NodeSelect data={data} state={state} />
      )}
      <PolicySelect data={data} state={state} large={large} />
      {large && (
        <NativeSelect
          size="xs"
          aria-label="Group nodes by"
          value={state.groupBy}
          data={[
            { value: "", label: "Grouped by switch" },
            ...unique([...grouping.labels, ...(state.groupBy === "" ? [] : [state.groupBy])]).map(
              (label) => ({ value: label, label: `Grouped by label ${label}` }),
            ),
          ]}
          onChange={(event) => state.setGroupBy(event.currentTarget.value)}
        />
      )}
      {grouping.note !== "" && (
        <span className="dim" role="status">
          {grouping.note}
        </span>
      )}
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

function NodeSelect({ data, state }: Pick<Props, "data" | "state">) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Paths of"
      value={state.filters.node}
      data={choices(
        "Paths of any node",
        data.paths.map(({ node }) => node),
      )}
      onChange={(event) => state.setFilter("node", event.currentTarget.value)}
    />
  );
}

/** A list of thousands of nodes is searched by the server. */
function NodePicker({ site, state }: { site: string; state: MapState }) {
  const { names, search } = useNames(nodesList, site, ({ name }) => name);
  return (
    <NamePicker
      aria-label="Paths of"
      placeholder="Paths of any node"
      value={state.filters.node}
      names={names}
      onSearch={search}
      onPick={(name) => state.setFilter("node", name)}
    />
  );
}

/** The policies of the chosen node; in a large site, whose paths are not loaded, all policies. */
function PolicySelect({ data, state, large }: Pick<Props, "data" | "state"> & { large: boolean }) {
  const { node, policy } = state.filters;
  const names = large
    ? data.policies.map(({ name }) => name)
    : data.paths.filter((path) => node === "" || path.node === node).map((path) => path.policy);
  return (
    <NativeSelect
      size="xs"
      aria-label="Policy"
      value={policy}
      data={choices("All policies", names)}
      onChange={(event) => state.setFilter("policy", event.currentTarget.value)}
    />
  );
}
