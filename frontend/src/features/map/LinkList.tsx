/** The map as a list for screen readers: its links, and in a large site its groups and single faults. */
import { memo, useDeferredValue } from "react";
import type { TopologyLink } from "@/api/types";
import { factSpec } from "@/ui/FactMark";
import { count, percent } from "@/util/units";
import type { MapLink, MapModel, MapNode } from "./mapModel";
import { hasLinkFault } from "./mapModel";
import classes from "./MapPage.module.css";

interface Props {
  links: readonly TopologyLink[];
  model: MapModel;
  stale: boolean;
}

const NOT_YET: readonly TopologyLink[] = [];
const NO_ITEMS: readonly never[] = [];
/** Faulty links that a large site lists one by one. */
const MOST_FAULTS = 200;

/** Rendered deferred so that the map never waits for it. */
export function LinkList({ links, model, stale }: Props) {
  const shown = useDeferredValue(model, null);
  const singles = useDeferredValue(links, NOT_YET);
  if (!model.inPlace) return <Links links={singles} stale={stale} />;
  return shown && <LargeList links={singles} model={shown} stale={stale} />;
}

const Links = memo(function Links({ links, stale }: Omit<Props, "model">) {
  return (
    <ul className={`visually-hidden ${classes.linkList}`} aria-label="Links on the map">
      {links.map((link) => (
        <Item key={link.id} link={link} stale={stale} />
      ))}
    </ul>
  );
});

/** What the map draws: groups, bundles and single links; then the faulty links that are in groups and bundles. */
const LargeList = memo(function LargeList({ links, model, stale }: Props) {
  const groups = model.nodes.filter(({ kind }) => kind === "group");
  const single = model.links.filter(({ url }) => url !== null).flatMap(({ members }) => members);
  const known = new Set(single.map(({ id }) => id));
  const faulty = stale ? NO_ITEMS : links.filter((link) => !known.has(link.id) && hasLinkFault(link));
  return (
    <div className={`visually-hidden ${classes.linkList}`}>
      <ul aria-label="Groups on the map">
        {groups.map((node) => (
          <GroupItem key={node.key} node={node} stale={stale} />
        ))}
      </ul>
      <ul aria-label="Links on the map">
        {[...single, ...faulty.slice(0, MOST_FAULTS)].map((link) => (
          <Item key={link.id} link={link} stale={stale} />
        ))}
        {faulty.length > MOST_FAULTS && (
          <li>{count(faulty.length - MOST_FAULTS, "more faulty link")}: see the table</li>
        )}
        {model.links.map((link) =>
          link.url === null ? (
            <BundleItem
              key={link.key}
              link={link}
              source={model.nodeOf.get(link.source)?.name ?? link.source}
              target={model.nodeOf.get(link.target)?.name ?? link.target}
              stale={stale}
            />
          ) : null,
        )}
      </ul>
    </div>
  );
});

const GroupItem = memo(function GroupItem({ node, stale }: { node: MapNode; stale: boolean }) {
  return (
    <li data-group={node.group} data-state={stale ? "unknown" : node.state}>
      {`${node.name}, ${node.box === null ? "closed" : "open"}: ${stale ? "no live data" : node.stateText}`}
    </li>
  );
});

interface BundleProps {
  link: MapLink;
  source: string;
  target: string;
  stale: boolean;
}

const BundleItem = memo(function BundleItem({ link, source, target, stale }: BundleProps) {
  const share = (load: MapLink["forward"]): string =>
    load === null || stale ? "no current data" : percent(load.utilisation);
  return (
    <li data-state={stale ? "unknown" : link.state}>
      {`${source} to ${target}, ${link.name}: ${stale ? "unknown" : link.stateText}, at most ${share(link.forward)} out, ${share(link.back)} back`}
    </li>
  );
});

/** Memoized: a live message changes few links. */
const Item = memo(function Item({ link, stale }: { link: TopologyLink; stale: boolean }) {
  const share = (load: TopologyLink["forward"]): number | null =>
    load?.fresh === true && !stale ? load.utilisation : null;
  const [forward, back] = [share(link.forward), share(link.back)];
  const state = stale ? "unknown" : link.state;
  return (
    <li
      data-link-id={link.id}
      data-name={link.name}
      data-forward={forward ?? ""}
      data-back={back ?? ""}
      data-carries={link.carries}
      data-carrier={link.carrier}
      data-state={state}
    >
      {link.name}: {state}, {factSpec("link_use", link.carries).label},{" "}
      {forward === null ? "no current data" : percent(forward)} out,{" "}
      {back === null ? "no current data" : percent(back)} back
    </li>
  );
});
