/** The picture in words: each link and what the map shows of it, for people who do not see the canvas. */

import { memo, useDeferredValue } from "react";

import type { TopologyLink } from "@/api/types";
import { percent } from "@/util/units";
import classes from "./MapPage.module.css";
import { CARRIES_LABELS } from "./rules";

interface Props {
  links: readonly TopologyLink[];
  stale: boolean;
}

const NOT_YET: Props["links"] = [];

/** In its own time: the words may follow the picture by a moment, also the first one; the picture must not wait for the words. */
export function LinkList({ links, stale }: Props) {
  return <List links={useDeferredValue(links, NOT_YET)} stale={stale} />;
}

const List = memo(function List({ links, stale }: Props) {
  return (
    <ul className={`visually-hidden ${classes.words}`} aria-label="Links on the map">
      {links.map((link) => (
        <Item key={link.id} link={link} stale={stale} />
      ))}
    </ul>
  );
});

/** Renewed only when its own link changed: a live message names few links. */
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
      {forward === null ? "no fresh figure" : percent(forward)} out,{" "}
      {back === null ? "no fresh figure" : percent(back)} back
    </li>
  );
});
