/** The links of the map as a list for assistive technology. */

import { memo, useDeferredValue } from "react";

import type { TopologyLink } from "@/api/types";
import { percent } from "@/util/units";
import classes from "./MapPage.module.css";
import { CARRIES_LABELS } from "@/ui/Carries";

interface Props {
  links: readonly TopologyLink[];
  stale: boolean;
}

const NOT_YET: Props["links"] = [];

/** Rendered deferred so that the map never waits for it. */
export function LinkList({ links, stale }: Props) {
  return <List links={useDeferredValue(links, NOT_YET)} stale={stale} />;
}

const List = memo(function List({ links, stale }: Props) {
  return (
    <ul className={`visually-hidden ${classes.linkList}`} aria-label="Links on the map">
      {links.map((link) => (
        <Item key={link.id} link={link} stale={stale} />
      ))}
    </ul>
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
      data-state={state}
    >
      {link.name}: {state}, {CARRIES_LABELS[link.carries]},{" "}
      {forward === null ? "no current data" : percent(forward)} out,{" "}
      {back === null ? "no current data" : percent(back)} back
    </li>
  );
});
