/** The site's map in what-if: as it is, or as it would be with one thing failed. The same drawing as the map's own. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { topologyQuery } from "@/api/queries";
import type { Impact, Topology } from "@/api/types";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { type CameraView, hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import { StaticGraph } from "@/ui/graph/StaticGraph";
import { useScheme } from "@/ui/useScheme";
import { draw } from "./drawn";
import { under } from "./overlay";
import { makeScene } from "./scene";
import { Tip } from "./Tip";
import classes from "./WhatIfMap.module.css";

const NONE_OPEN: ReadonlySet<string> = new Set();
const NOTHING_STANDS_OUT = { nodes: new Map(), links: new Map(), strokes: new Map() } as const;
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() } as const;

interface Props {
  site: string;
  impact: Impact;
  /** The failure has happened; else today. */
  after: boolean;
}

export function WhatIfMap({ site, ...shown }: Props) {
  const { data, error, refetch } = useQuery(topologyQuery(site));
  if (data !== undefined) return <Drawing topology={data} {...shown} />;
  if (error !== null)
    return (
      <ErrorState title="The map cannot be drawn" message={error.message} onRetry={() => void refetch()} />
    );
  return <Waiting what="the topology" />;
}

function Drawing({ topology, impact, after }: Omit<Props, "site"> & { topology: Topology }) {
  const scheme = useScheme();
  const [selected, setSelected] = useState<string | null>(null);
  const [camera, setCamera] = useState<CameraView | null>(null);
  const [paints] = useState(hasWebGl);
  const { drawn, scene } = useMemo(() => {
    const shown = after ? under(topology, impact) : { topology, changed: NOTHING_CHANGED };
    const now = draw(shown.topology, NONE_OPEN);
    return {
      drawn: now,
      scene: makeScene({
        drawn: now,
        standing: NOTHING_STANDS_OUT,
        changed: shown.changed,
        rateScale: topology.site.rate_scale,
        stale: false,
      }),
    };
  }, [topology, impact, after]);
  const label = after
    ? `The site when ${impact.kind === "none" ? "nothing" : impact.failure} fails`
    : "The site today";
  return (
    <div>
      <div
        className={classes.box}
        data-testid="what-if-map"
        data-after={after}
        data-cut-off={after ? impact.cut_off.length : 0}
      >
        {paints ? (
          <GraphCanvas
            scene={scene}
            scheme={scheme}
            label={`${label}. Arrow keys walk from node to node.`}
            selected={selected}
            onSelect={(hit) => setSelected(hit?.key ?? null)}
            onOpen={(hit) => setSelected(hit.key)}
            camera={camera}
            onCamera={setCamera}
            renderTip={(hit) => <Tip hit={hit} drawn={drawn} site={topology.site} stale={false} />}
          />
        ) : (
          <div className={classes.still}>
            <StaticGraph scene={scene} scheme={scheme} label={label} width={560} height={290} />
          </div>
        )}
      </div>
      <p className={`dim ${classes.key}`}>
        <span>red node: cut off or failed</span>
        <span>amber node: on another gateway</span>
        <span>dashed: down</span>
        <span>halo: different from today</span>
      </p>
    </div>
  );
}
