/** The groups of a site's map, by the label that the operator chose. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { labelNamesQuery, labelValuesQuery } from "./mapQueries";
import type { Topology } from "@/api/types";
import { type Groups, isLarge, siteGroups } from "./nodeGroups";

export interface Grouping {
  readonly groups: Groups;
  /** Label names to group by; none in a small site. */
  readonly labels: readonly string[];
  /** What the chosen label waits for; empty: nothing. */
  readonly note: string;
}

const NO_LABELS: readonly string[] = [];

/** Groups by the label `by`; empty: by the switch that nodes share. */
export function useGroups(topology: Topology, by: string): Grouping {
  const { version, site } = topology;
  const large = isLarge(topology.nodes);
  const label = large ? by : "";
  const { data: labels = NO_LABELS } = useQuery({ ...labelNamesQuery(site.name, version), enabled: large });
  const { data: values, error } = useQuery(labelValuesQuery(site.name, version, label));
  const groups = useMemo(
    () => siteGroups(topology, values && label !== "" ? { name: label, values } : null),
    // `version` replaces nodes and links, whose states and loads change.
    // oxlint-disable-next-line react/exhaustive-deps
    [site.name, version, label, values],
  );
  const isWaiting = label !== "" && values === undefined;
  const note = !isWaiting
    ? ""
    : error
      ? `The label ${label} cannot be read: ${error.message}`
      : `reading the label ${label} …`;
  return { groups, labels: large ? labels : NO_LABELS, note };
}
