/** One strip per path: solid on the preferred gateway, hatched on a fallback, a mark at each switch; then the list of switches. */
import type { Stretch, Switch, Track } from "./timeline";
import classes from "./Timeline.module.css";
import { clock, shortClock } from "@/util/time";
import { duration, milliseconds } from "@/util/units";

interface Props {
  tracks: readonly Track[];
  /** Unix seconds of the shown range. */
  start: number;
  end: number;
}

/** Share of the strip from which on a label does not fit to the right of its mark. */
const LATE = 0.9;

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

export function Timeline({ tracks, start, end }: Props) {
  const place = (at: number) => `${((at - start) / (end - start)) * 100}%`;
  return (
    <div className={classes.timeline}>
      <ul aria-label="Gateways in use over time">
        {tracks.map((track) => (
          <li key={track.path.id} className={classes.track}>
            <span className={classes.name}>
              {track.path.node} <span className="dim">{track.path.prefix}</span>
            </span>
            <span className={classes.strip}>
              {track.stretches.map((stretch) => (
                <Strip
                  key={stretch.start}
                  stretch={stretch}
                  left={place(stretch.start)}
                  width={`${((stretch.end - stretch.start) / (end - start)) * 100}%`}
                />
              ))}
              {track.switches.map((one) => (
                <i
                  key={one.id}
                  className={classes.mark}
                  data-late={(one.at - start) / (end - start) > LATE}
                  style={{ left: place(one.at) }}
                  aria-hidden="true"
                >
                  {one.outageMs !== null && <b>{milliseconds(one.outageMs)}</b>}
                </i>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div className={`${classes.axis} num dim`} aria-hidden="true">
        <span>{shortClock(iso(start), end)}</span>
        <span>{shortClock(iso(end), end)}</span>
      </div>
      <SwitchList tracks={tracks} now={end} />
    </div>
  );
}

function Strip({
  stretch: { gateway, start, end, preferred },
  left,
  width,
}: {
  stretch: Stretch;
  left: string;
  width: string;
}) {
  const description = `${gateway === "" ? "no gateway" : gateway} for ${duration(end - start)}`;
  return (
    <span
      className={classes.stretch}
      data-preferred={preferred}
      data-none={gateway === ""}
      style={{ left, width }}
      title={description}
    >
      <span className={classes.gateway}>{gateway === "" ? "none" : gateway}</span>
    </span>
  );
}

function SwitchList({ tracks, now }: { tracks: readonly Track[]; now: number }) {
  const all = tracks
    .flatMap(({ path, switches }) =>
      switches.map((one): Switch & { node: string; prefix: string } => ({
        ...one,
        node: path.node,
        prefix: path.prefix,
      })),
    )
    .toSorted((a, b) => b.at - a.at);
  if (all.length === 0) return <p className={classes.none}>No path switches in this time range.</p>;
  return (
    <ol className={classes.switches} aria-label="Path switches">
      {all.map(({ id, at, node, prefix, from, to, outageMs }) => (
        <li key={id}>
          <time className="num dim" dateTime={iso(at)} title={clock(iso(at))}>
            {shortClock(iso(at), now)}
          </time>
          <span>
            {node}: {prefix} moved from {from || "no gateway"} to {to || "no gateway"}
          </span>
          <b className="num">
            {outageMs === null ? "outage measurement pending" : `${milliseconds(outageMs)} lost`}
          </b>
        </li>
      ))}
    </ol>
  );
}
