/** The marks of a chart as links above its plot, and as rows of its table. */
import { Popover } from "@mantine/core";
import { memo, useMemo } from "react";
import { Anchor } from "@/ui/Anchor";
import { groupMarks, MARK_LABELS, type Mark, type MarkGroup, type MarkKind } from "@/ui/chart/marks";
import classes from "@/ui/chart/MarkStrip.module.css";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";

const GLYPHS: Readonly<Record<MarkKind | "several", string>> = {
  incident: "!",
  failover: "⇄",
  change: "Δ",
  test: "T",
  several: "…",
};

const timeOf = ({ at }: Mark): string => clock(new Date(at * 1000).toISOString());

interface Props {
  marks: readonly Mark[];
  span: { start: number; end: number };
  /** Pixels left and right of the plot area: of the axis, and at the right edge. */
  left: number;
  right: number;
}

export function MarkStrip({ marks, span, left, right }: Props) {
  const groups = useMemo(() => groupMarks(marks, span), [marks, span]);
  if (groups.length === 0) return null;
  return (
    <div className={classes.strip} style={{ marginLeft: left, marginRight: right }}>
      <ul aria-label="Incidents, failovers, changes and tests">
        {groups.map((group) => (
          <li key={group.marks[0]?.at} className={classes.place} style={{ left: `${group.share * 100}%` }}>
            <Group group={group} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Group({ group: { marks, state, kind } }: { group: MarkGroup }) {
  const [only] = marks;
  if (only === undefined) return null;
  if (marks.length === 1)
    return (
      <Anchor
        href={only.url}
        className={classes.mark}
        data-state={state}
        title={`${timeOf(only)} ${only.text}`}
      >
        <span aria-hidden="true">{GLYPHS[only.kind]}</span>
        <span className="visually-hidden">{`${MARK_LABELS[only.kind]} at ${timeOf(only)}: ${only.text}`}</span>
      </Anchor>
    );
  return (
    <Popover width={360} withinPortal={false} position="bottom" shadow="md">
      <Popover.Target>
        <button type="button" className={classes.mark} data-state={state}>
          <span aria-hidden="true">{GLYPHS[kind]} </span>
          {marks.length}
          <span className="visually-hidden">{` marks from ${timeOf(only)}`}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.list}>
        <ul>
          {marks.map((mark) => (
            <li key={`${mark.at} ${mark.text}`}>
              <span className="num dim">{timeOf(mark)}</span> <Anchor href={mark.url}>{mark.text}</Anchor>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

const COLUMNS: readonly Column<Mark>[] = [
  { id: "at", header: "time", csvHeader: "time (Unix s)", value: ({ at }) => at, cell: timeOf },
  { id: "kind", header: "kind", value: ({ kind }) => MARK_LABELS[kind] },
  {
    id: "text",
    header: "what",
    value: ({ text }) => text,
    cell: ({ text, url }) => <Anchor href={url}>{text}</Anchor>,
    wraps: true,
  },
];

const markKey = ({ at, text }: Mark): string => `${at} ${text}`;

/** Renders only for new marks. */
export const MarkTable = memo(function MarkTable({ marks }: { marks: readonly Mark[] }) {
  const newest = useMemo(() => marks.toReversed(), [marks]);
  if (marks.length === 0) return null;
  return (
    <DataTable
      label="Incidents, failovers, changes and tests"
      noun="marks"
      rows={newest}
      columns={COLUMNS}
      rowKey={markKey}
      empty={null}
    />
  );
});
