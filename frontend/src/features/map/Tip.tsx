/** Tooltip of the node or link under the pointer. */

import type { Site } from "@/api/types";
import type { Hit } from "@/ui/graph/scene";
import { FactMark, factSpec } from "@/ui/FactMark";
import { StateBadge } from "@/ui/StateBadge";
import { rate } from "@/util/units";
import { type MapLink, type MapModel, type MapNode, uplinkOf } from "./mapModel";
import classes from "./MapPage.module.css";
import { rules, STROKE_LABELS } from "./rules";
import { formatLoad } from "./scene";

interface Props {
  hit: Hit;
  model: MapModel;
  site: Site;
  stale: boolean;
}

export function Tip({ hit, model, site, stale }: Props) {
  const node = model.nodeOf.get(hit.key);
  const link = model.linkOf.get(hit.key);
  if (node) {
    return (
      <div className={classes.tip}>
        <strong>{node.name}</strong>
        <StateBadge state={stale ? "unknown" : node.state} /> <span>{node.stateText}</span>
        {node.kind === "group" && !stale && <UplinkLine node={node} model={model} />}
        {node.gateway !== null && !stale && (
          <p>
            <FactMark fact="gateway_role" state={node.gateway.role} /> {node.gateway.text}
          </p>
        )}
      </div>
    );
  }
  return link && hit.type === "link" ? (
    <LinkTip link={link} half={hit.half} model={model} site={site} stale={stale} />
  ) : null;
}

function UplinkLine({ node, model }: { node: MapNode; model: MapModel }) {
  const uplink = uplinkOf(model, node);
  return (
    <p className="num">
      uplinks: out {formatLoad(uplink.out)}, in {formatLoad(uplink.in)} of {rate(uplink.usableRate)}
    </p>
  );
}

function LinkTip({
  link,
  half,
  model,
  site,
  stale,
}: {
  link: MapLink;
  half: "forward" | "back";
  model: MapModel;
  site: Site;
  stale: boolean;
}) {
  const [source, target] = [link.source, link.target].map((key) => model.nodeOf.get(key)?.name ?? key);
  const lines = [
    { key: "forward", label: `${source} → ${target}`, load: link.forward },
    { key: "back", label: `${target} → ${source}`, load: link.back },
  ];
  return (
    <div className={classes.tip}>
      <strong>{link.name}</strong>
      <span className="dim">
        {stale ? STROKE_LABELS.unknown : STROKE_LABELS[rules.stroke(link)]} ·{" "}
        {factSpec("link_use", link.carries).label} · {rate(link.usableRate)}
        {site.rate_scale === 1 ? "" : ` (real ${rate(link.usableRate / site.rate_scale)})`}
      </span>
      <dl className="num">
        {lines.map(({ key, label, load }) => [
          <dt key={`${key} t`}>{key === half ? <b>{label}</b> : label}</dt>,
          <dd key={`${key} d`}>{formatLoad(load)}</dd>,
        ])}
      </dl>
    </div>
  );
}
