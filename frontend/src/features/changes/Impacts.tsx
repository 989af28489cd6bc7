/** Impact of every single failure: as a table, and on the site's map before and after. */
import { SegmentedControl } from "@mantine/core";
import { useParam } from "@/api/scope";
import type { Impact, Plan } from "@/api/types";
import type { WhatIf } from "./ChangePage";
import classes from "./ChangePage.module.css";
import { impactKey, impactsHeadline, VERDICT_LABELS, verdictTone, worstFirst } from "./labels";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { milliseconds, percent, rate } from "@/util/units";

interface Props {
  site: string;
  plan: Plan;
  whatIf: WhatIf;
}

const nameOf = ({ kind, failure }: Impact): string => (kind === "none" ? "no failure" : failure);

export function Impacts({ site, plan: { impacts, counts, impacts_omitted: omitted }, whatIf }: Props) {
  const rows = worstFirst(impacts);
  const [key, setKey] = useParam("failure", "");
  const [side, setSide] = useParam<"before" | "after">("side", "after");
  const chosen =
    rows.find((impact) => impactKey(impact) === key) ??
    rows.find(({ kind, verdict }) => kind !== "none" && verdict !== "holds") ??
    rows[0];
  if (chosen === undefined) return null;
  return (
    <Panel
      title="Failure impact"
      aside={<span className="dim">{impactsHeadline(counts, omitted)}</span>}
      flush
    >
      <div className={classes.impact}>
        <div className={classes.failures} role="region" aria-label="Failures" tabIndex={0}>
          <table aria-label="Failure impact">
            <thead>
              <tr>
                <th scope="col">failure</th>
                <th scope="col">verdict</th>
                <th scope="col" className={classes.figure}>
                  isolated{" "}
                </th>
                <th scope="col" className={classes.figure}>
                  moved
                </th>
                <th scope="col" className={classes.figure}>
                  busiest link{" "}
                </th>
                <th scope="col" className={classes.figure}>
                  recovery{" "}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((impact) => (
                <Row
                  key={impactKey(impact)}
                  impact={impact}
                  chosen={impact === chosen}
                  onChoose={() => setKey(impactKey(impact))}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className={classes.drawn} data-testid="what-if" data-failure={impactKey(chosen)}>
          <div className={classes.tools}>
            <b>{chosen.kind === "none" ? "No failure" : `${chosen.failure} fails`}</b>
            <SegmentedControl
              size="xs"
              aria-label="Before or after"
              value={side}
              onChange={(value) => setSide(value as "before" | "after")}
              data={[
                { value: "before", label: "now" },
                { value: "after", label: "after" },
              ]}
            />
          </div>
          {whatIf(site, chosen, side === "after")}
          <ImpactDetails impact={chosen} />
        </div>
      </div>
    </Panel>
  );
}

function Row({ impact, chosen, onChoose }: { impact: Impact; chosen: boolean; onChoose: () => void }) {
  const { kind, verdict, cut_off, looping, moved, links, omitted, seconds } = impact;
  const fullest = Math.max(0, ...links.map(({ utilisation }) => utilisation));
  return (
    <tr data-chosen={chosen} data-failure={impactKey(impact)}>
      <td>
        <button type="button" className={classes.pick} aria-pressed={chosen} onClick={onChoose}>
          {nameOf(impact)}
        </button>
      </td>
      <td>
        <StateLabel state={verdictTone(verdict)} label={VERDICT_LABELS[verdict]} />
      </td>
      <td className={classes.figure}>
        {cut_off.length + looping.length + omitted.cut_off + omitted.looping}
      </td>
      <td className={classes.figure}>{moved.length + omitted.moved}</td>
      <td className={classes.figure}>
        <span className={fullest > 1 ? classes.over : undefined}>
          {links.length === 0 ? "–" : percent(fullest)}
        </span>
      </td>
      <td className={classes.figure}>
        {kind === "none"
          ? "–"
          : seconds === null
            ? "never"
            : seconds === 0
              ? "none"
              : milliseconds(seconds * 1000)}
      </td>
    </tr>
  );
}

const LOADS_SHOWN = 12;

const listing = (names: readonly string[], more: number): string =>
  names.join(", ") + (more > 0 ? ` and ${more} more` : "");

function ImpactDetails({ impact: { text, cut_off, looping, links, omitted } }: { impact: Impact }) {
  const lessLoaded = Math.max(0, links.length - LOADS_SHOWN) + omitted.links;
  return (
    <div>
      <p>{text}</p>
      {cut_off.length > 0 && <p className={classes.over}>✕ isolated: {listing(cut_off, omitted.cut_off)}</p>}
      {looping.length > 0 && (
        <p className={classes.over}>↻ forwarding loop: {listing(looping, omitted.looping)}</p>
      )}
      {links.length > 0 && (
        <ul className={classes.loads} aria-label="Changed link loads">
          {links.slice(0, LOADS_SHOWN).map(({ link_id, name, bps, utilisation }) => (
            <li key={link_id}>
              <span>{name}</span>
              <span className={`num ${utilisation > 1 ? classes.over : ""}`}>
                {rate(bps)}, {percent(utilisation)}
              </span>
            </li>
          ))}
          {lessLoaded > 0 && <li className="dim">and {lessLoaded} less loaded</li>}
        </ul>
      )}
    </div>
  );
}
