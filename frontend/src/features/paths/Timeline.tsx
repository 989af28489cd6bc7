/** One strip per path over the time range, then the list of switches and outages. */
import { useRef } from "react";
import { HistoryLegend, HistoryStrip } from "./HistoryStrip";
import { lines, type Track } from "./timeline";
import classes from "./Timeline.module.css";
import { useVisibleRows } from "@/ui/table/useVisibleRows";
import { clock, shortClock } from "@/util/time";

/** More are on the events page. */
const MOST_LINES = 8;

interface Props {
  tracks: readonly Track[];
  /** Unix seconds of the shown range. */
  start: number;
  end: number;
}

/** Height of a strip with its name, of the style sheet. */
const TRACK_PX = 24;

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

export function Timeline({ tracks, start, end }: Props) {
  return (
    <div className={classes.timeline}>
      <Strips tracks={tracks} />
      <div className={`${classes.axis} num dim`} aria-hidden="true">
        <span>{shortClock(iso(start), end)}</span>
        <span>{shortClock(iso(end), end)}</span>
      </div>
      <HistoryLegend />
      <Lines tracks={tracks} now={end} />
    </div>
  );
}

/** Of many strips, those near the viewport. */
function Strips({ tracks }: Pick<Props, "tracks">) {
  const list = useRef<HTMLUListElement>(null);
  const { visible, above, below } = useVisibleRows(tracks.length, list, TRACK_PX);
  return (
    <ul ref={list} aria-label="Gateways in use over time" style={{ paddingTop: above, paddingBottom: below }}>
      {visible.map(({ index }) => {
        const track = tracks[index];
        return (
          track !== undefined && (
            <li key={track.path.id} className={classes.track} data-node={track.path.node}>
              <span className={classes.name}>
                {track.path.node} <span className="dim">{track.path.prefix}</span>
              </span>
              <HistoryStrip history={track.history} />
            </li>
          )
        );
      })}
    </ul>
  );
}

function Lines({ tracks, now }: { tracks: readonly Track[]; now: number }) {
  const all = lines(tracks);
  if (all.length === 0)
    return <p className={classes.none}>No path switches or outages in this time range.</p>;
  return (
    <>
      <ol className={classes.switches} aria-label="Path switches and outages">
        {all.slice(0, MOST_LINES).map(({ key, at, text, figure, title }) => (
          <li key={key}>
            <time className="num dim" dateTime={at} title={clock(at)}>
              {shortClock(at, now)}
            </time>
            <span>{text}</span>
            <b className="num" title={title}>
              {figure === "" ? "outage not measured" : figure}
            </b>
          </li>
        ))}
      </ol>
      {all.length > MOST_LINES && (
        <p className={classes.none}>
          The newest {MOST_LINES} of {all.length}; select a shorter time range for the others.
        </p>
      )}
    </>
  );
}
