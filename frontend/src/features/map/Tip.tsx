/** The numbers of what is under the pointer. */

import type { Site } from "@/api/types";
import type { Hit } from "@/ui/graph/scene";
import { StateBadge } from "@/ui/StateBadge";
import { rate } from "@/util/units";
import type { Drawn, DrawnLink } from "./drawn";
import classes from "./MapPage.module.css";
import { CARRIES_LABELS, rules, STROKE_WORDS } from "./rules";
import { words } from "./scene";

interface Props {
  hit: Hit;
  drawn: Drawn;
  site: Site;
  stale: boolean;
}

export function Tip({ hit, drawn, site, stale }: Props) {
  const node = drawn.nodes.find(({ key }) => key === hit.key);
  const link = drawn.links.find(({ key }) => key === hit.key);
  if (node) {
    return (
      <div className={classes.tip}>
        <strong>{node.name}</strong>
        <StateBadge state={stale ? "unknown" : node.state} /> <span>{node.stateText}</span>
      </div>
    );
  }
  return link && hit.type === "link" ? (
    <LinkTip link={link} half={hit.half} drawn={drawn} site={site} stale={stale} />
  ) : null;
}

function LinkTip({
  link,
  half,
  drawn,
  site,
  stale,
}: {
  link: DrawnLink;
  half: "forward" | "back";
  drawn: Drawn;
  site: Site;
  stale: boolean;
}) {
  const [source, target] = [link.source, link.target].map(
    (key) => drawn.nodes.find((node) => node.key === key)?.name ?? key,
  );
  const lines = [
    { key: "forward", label: `${source} → ${target}`, load: link.forward },
    { key: "back", label: `${target} → ${source}`, load: link.back },
  ];
  return (
    <div className={classes.tip}>
      <strong>{link.name}</strong>
      <span className="dim">
        {stale ? STROKE_WORDS.unknown : STROKE_WORDS[rules.stroke(link)]} · {CARRIES_LABELS[link.carries]} ·{" "}
        {rate(link.usableRate)}
        {site.rate_scale === 1 ? "" : ` (real ${rate(link.usableRate / site.rate_scale)})`}
      </span>
      <dl className="num">
        {lines.map(({ key, label, load }) => [
          <dt key={`${key} t`}>{key === half ? <b>{label}</b> : label}</dt>,
          <dd key={`${key} d`}>{words(load)}</dd>,
        ])}
      </dl>
    </div>
  );
}
