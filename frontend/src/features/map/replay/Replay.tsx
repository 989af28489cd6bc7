/** Replay of the map: a slider over the time range, which plays by itself. The moment is in the URL. */
import { Button, Slider } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAnnotations } from "@/api/ports/annotations";
import { pastTopologyQuery } from "@/api/queries";
import { REPLAY, useParam, useRange } from "@/api/scope";
import { MarkStrip } from "@/ui/chart/MarkStrip";
import { Icon } from "@/ui/Icon";
import { absolute, clock, DEFAULT_RANGE, span } from "@/util/time";
import classes from "./Replay.module.css";
import { nextMoment, replaySpan, stepOf } from "./replayTimes";

/** How long a moment is shown at least while it plays, milliseconds. */
const FRAME_MS = 500;

const iso = (at: number): string => new Date(at * 1000).toISOString();

/** Begins a replay at the start of the time range. */
export function ReplayButton() {
  const [range] = useRange();
  const [moment, setMoment] = useParam(REPLAY, "");
  if (moment !== "") return null;
  const start = () => {
    const now = Date.now() / 1000;
    const found = span(range, now) ?? span(DEFAULT_RANGE, now);
    if (found !== null) setMoment(iso(Math.floor(found.start)));
  };
  return (
    <Button size="xs" variant="default" leftSection={<Icon name="play" size={14} />} onClick={start}>
      Replay
    </Button>
  );
}

interface Props {
  site: string;
  /** The moment shown, RFC 3339. */
  at: string;
}

export function Replay({ site, at }: Props) {
  const [range] = useRange();
  const [, setMoment] = useParam(REPLAY, "");
  const shown = Date.parse(at) / 1000;
  const [covered] = useState(() => replaySpan(range, shown, Date.now() / 1000));
  const [dragged, setDragged] = useState<number | null>(null);
  const marks = useAnnotations(absolute(covered.start, covered.end), {});
  const { isPlaying, setPlaying, failed } = usePlayer(site, at, nextMoment(shown, covered), setMoment);
  const moveTo = (moment: number) => {
    setDragged(null);
    setMoment(iso(moment));
  };
  const isAtEnd = nextMoment(shown, covered) === null;
  const toggle = () => {
    if (isAtEnd && !isPlaying) moveTo(covered.start);
    setPlaying(!isPlaying);
  };
  return (
    <div className={classes.bar} role="group" aria-label="Replay" data-testid="replay">
      <Button size="xs" leftSection={<Icon name={isPlaying ? "pause" : "play"} size={14} />} onClick={toggle}>
        {isPlaying ? "Pause" : "Play"}
      </Button>
      <div className={classes.track}>
        <MarkStrip marks={marks ?? []} span={covered} left={0} right={0} />
        <Slider
          size="sm"
          min={covered.start}
          max={covered.end}
          step={stepOf(covered)}
          value={dragged ?? shown}
          onChange={setDragged}
          onChangeEnd={moveTo}
          label={(moment) => clock(iso(moment))}
          thumbLabel="Moment of the replay"
        />
      </div>
      <span className={`num ${classes.time}`} role="status">
        {failed ?? clock(iso(dragged ?? shown))}
      </span>
      <Button size="xs" variant="default" onClick={() => setMoment("")}>
        End replay
      </Button>
    </div>
  );
}

/** Shows the next moment once the present one is there and has been shown for `FRAME_MS`; stops at the end and at an error. */
function usePlayer(site: string, at: string, next: number | null, onMove: (moment: string) => void) {
  const [wanted, setPlaying] = useState(false);
  const queries = useQueryClient();
  const { error, isFetching, isPlaceholderData } = useQuery(pastTopologyQuery(site, at));
  const isPlaying = wanted && next !== null && error === null;
  const isReady = !isFetching && !isPlaceholderData;
  useEffect(() => {
    if (!isPlaying || !isReady) return;
    const following = iso(next);
    void queries.prefetchQuery(pastTopologyQuery(site, following));
    const timer = setTimeout(() => onMove(following), FRAME_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isReady, next, onMove, queries, site]);
  return {
    isPlaying,
    setPlaying,
    failed: error === null ? null : `This moment cannot be read: ${error.message}`,
  };
}
