/** Search for nodes, links and pages by name. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { topologyQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import type { Topology } from "@/api/types";
import { find, type Target } from "./find";
import { PAGES } from "./pages";
import classes from "./Palette.module.css";
import { rate } from "@/util/units";

/** Name of the report page of a technology. */
const REPORTS: Readonly<Record<string, string>> = { infiniband: "health", hippi: "blocking" };

function targets(topology: Topology | undefined): Target[] {
  const pages = PAGES.map(({ name, path }): Target => ({ kind: "page", name, detail: "page", url: path }));
  const nodes = (topology?.nodes ?? []).map(({ name, title, url }): Target => ({
    kind: "node",
    name,
    detail: title,
    url,
  }));
  const links = (topology?.links ?? []).map(({ name, fabric, usable_rate, url }): Target => ({
    kind: "link",
    name,
    detail: `${fabric}, ${rate(usable_rate)}`,
    url,
  }));
  const reports = (topology?.nodes ?? []).flatMap(({ kind, role, name, id }): Target[] =>
    kind === "fabric" && role in REPORTS
      ? [{ kind: "page", name: `${name} ${REPORTS[role]}`, detail: "report", url: `/${role}/${id}` }]
      : [],
  );
  return [...pages, ...reports, ...nodes, ...links];
}

export function Palette({ onDone }: { onDone: () => void }) {
  const site = useSite();
  const { data: topology } = useQuery({ ...topologyQuery(site?.name ?? ""), enabled: site !== undefined });
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const found = find(targets(topology), text);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onDone();
    void navigate(carry(target.url, search));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    }
    if (event.key === "Enter") go(found[at]);
  };
  return (
    <div className={classes.palette}>
      <input
        className={classes.input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
        aria-label="Find a node, a link or a page"
        placeholder="Find a node, a link or a page"
        value={text}
        autoFocus
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <div id={list} role="listbox" aria-label="Found" className={classes.list} tabIndex={-1}>
        {found.map((target, index) => (
          <div
            key={`${target.kind} ${target.url}`}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={classes.option}
            onClick={() => go(target)}
            onKeyDown={onKeyDown}
          >
            <span className={classes.name}>{target.name}</span>
            <span className="dim">{target.detail}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none}>
          No match for “{text}” at {site?.name ?? "this site"}.
        </p>
      )}
    </div>
  );
}
