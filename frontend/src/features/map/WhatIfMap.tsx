/** The map today or after a simulated failure. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";

import { topologyQuery } from "@/api/queries";
import type { Impact, Topology } from "@/api/types";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { type CameraView, hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import type { Hit } from "@/ui/graph/scene";
import { StaticGraph } from "@/ui/graph/StaticGraph";
import { useScheme } from "@/ui/useScheme";
import { siteGroups } from "./nodeGroups";
import { buildMapModel, type MapModel } from "./mapModel";
import { type FailedObject, impactSimulation, objectOf, type Simulation, under } from "./overlay";
import { makeScene } from "./scene";
import { Tip } from "./Tip";
import classes from "./WhatIfMap.module.css";

const NO_EMPHASIS = { nodes: new Map(), links: new Map(), strokes: new Map() } as const;
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() } as const;
/** Between the clicks of a double click, at most: the second one repeats the first. */
const DOUBLE_CLICK_MS = 500;

interface Props {
  site: string;
  impact: Impact;
  /** Show the state after the failure; else the current state. */
  after: boolean;
}

export function WhatIfMap({ site, impact, after }: Props) {
  const simulation = useMemo(() => (after ? impactSimulation(impact) : null), [impact, after]);
  const label = after
    ? `The site when ${impact.kind === "none" ? "nothing" : impact.failure} fails`
    : "Current state";
  return <SimulatedMap site={site} simulation={simulation} label={label} />;
}

interface SimulatedProps {
  site: string;
  /** Null: the current state. */
  simulation: Simulation | null;
  label: string;
  /** Called with what is clicked, or chosen with Enter: one object, or the links of a bundle. */
  onToggle?: (objects: readonly FailedObject[]) => void;
}

export function SimulatedMap({ site, ...view }: SimulatedProps) {
  const { data, error, refetch } = useQuery(topologyQuery(site));
  if (data !== undefined) return <Drawing topology={data} {...view} />;
  if (error !== null)
    return (
      <ErrorState
        title="The map cannot be displayed"
        message={error.message}
        onRetry={() => void refetch()}
      />
    );
  return <Waiting what="the topology" />;
}

type DrawingProps = Omit<SimulatedProps, "site"> & { topology: Topology };

/** Opens a group, or toggles what is hit; a double click counts once. */
function useActivation(
  model: MapModel,
  onToggle: DrawingProps["onToggle"],
  onGroup: (group: string) => void,
): (hit: Hit) => void {
  const last = useRef({ key: "", at: -DOUBLE_CLICK_MS });
  return ({ key }) => {
    const now = performance.now();
    if (last.current.key === key && now - last.current.at < DOUBLE_CLICK_MS) return;
    last.current = { key, at: now };
    const node = model.nodeOf.get(key);
    const group = node?.kind === "group" ? node.group : null;
    if (group !== null) onGroup(group);
    else if (node !== undefined) onToggle?.(node.members.map(objectOf));
    else onToggle?.((model.linkOf.get(key)?.members ?? []).map(({ id }) => ({ kind: "link" as const, id })));
  };
}

function Drawing({ topology, simulation, label, onToggle }: DrawingProps) {
  const scheme = useScheme();
  const [selected, setSelected] = useState<string | null>(null);
  const [camera, setCamera] = useState<CameraView | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [paints] = useState(hasWebGl);
  const { model, scene } = useMemo(() => {
    const view = simulation ? under(topology, simulation) : { topology, changed: NOTHING_CHANGED };
    const now = buildMapModel(view.topology, open, siteGroups(view.topology, null));
    return {
      model: now,
      scene: makeScene({
        model: now,
        emphasis: NO_EMPHASIS,
        changed: view.changed,
        rateScale: topology.site.rate_scale,
        stale: false,
      }),
    };
  }, [topology, simulation, open]);
  const activate = useActivation(model, onToggle, (group) => setOpen((old) => toggled(old, group)));
  const select = (hit: Hit | null, byPointer: boolean) => {
    setSelected(hit?.key ?? null);
    if (hit !== null && byPointer && onToggle) activate(hit);
  };
  const keys = onToggle
    ? "Arrow keys move between nodes, Enter lets one fail or work again."
    : "Arrow keys move between nodes.";
  return (
    <div>
      <div
        className={classes.box}
        data-testid="what-if-map"
        data-after={simulation !== null}
        data-cut-off={simulation?.cutOff.length ?? 0}
        data-can-toggle={onToggle !== undefined}
      >
        {paints ? (
          <GraphCanvas
            scene={scene}
            scheme={scheme}
            label={`${label}. ${keys}`}
            selected={selected}
            onSelect={select}
            onOpen={(hit) => (onToggle ? activate(hit) : setSelected(hit.key))}
            camera={camera}
            onCamera={setCamera}
            renderTip={(hit) => <Tip hit={hit} model={model} site={topology.site} stale={false} />}
          />
        ) : (
          <div className={classes.still}>
            <StaticGraph scene={scene} scheme={scheme} label={label} width={560} height={290} />
          </div>
        )}
      </div>
      <p className={`dim ${classes.key}`}>
        <span>red node: isolated or failed</span>
        <span>amber node: uses another gateway</span>
        <span>dashed: down</span>
        <span>halo: differs from the current state</span>
      </p>
    </div>
  );
}

function toggled(old: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(old);
  if (!next.delete(item)) next.add(item);
  return next;
}
