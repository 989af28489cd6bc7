/** One cell: parameters, results over time, CPU load, node reports, and the verdict. */
import { ActionIcon } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  testCellQuery,
  type TestCell,
  type TestCellDetail,
  type TestDuty,
  type TestRunDetail,
} from "@/api/throughput";
import classes from "./Tests.module.css";
import { VerdictDetails } from "./VerdictDetails";
import { formatBytes, describePoint, verdictLabel, stateLabel, describeMissing, cellLabel } from "./labels";
import heat from "./HeatTable.module.css";
import { shareOf } from "./matrix";
import { rampStyle } from "./ramp";
import { DataTable } from "@/ui/table/DataTable";
import { Facts, type Fact } from "@/ui/Facts";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { amount, duration, grouped, milliseconds, NONE, percent, rate } from "@/util/units";
import { rampClass } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";

type Measured = NonNullable<TestCell["measured"]>;
type Busy = Measured["cpu"][number];

const ROLES: Record<Busy["role"], string> = {
  endpoint_sender: "sender",
  endpoint_receiver: "receiver",
  gateway: "gateway",
};

const CPU: readonly Column<Busy>[] = [
  { id: "node", header: "node", value: ({ node }) => node },
  { id: "role", header: "role", value: ({ role }) => ROLES[role] },
  {
    id: "busy",
    header: "busy",
    align: "right",
    value: ({ busy, cores }) => busy / cores,
    cell: ({ busy, cores }) => `${amount(busy)} of ${cores}`,
  },
  {
    id: "busiest",
    header: "busiest core",
    align: "right",
    value: ({ busiest }) => busiest,
    cell: ({ busiest }) => percent(busiest),
  },
  {
    id: "softirq",
    header: "interrupts",
    align: "right",
    value: ({ softirq }) => softirq,
    cell: ({ softirq }) => amount(softirq),
  },
];

const ASSIGNMENTS: readonly Column<TestDuty>[] = [
  { id: "node", header: "node", value: ({ node }) => node },
  { id: "role", header: "role", value: ({ role }) => role },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, detail }) => (
      <StateLabel
        state={state === "done" ? "ok" : stateLabel(state).glyph === "!" ? "critical" : "disabled"}
        label={stateLabel(state).text}
        title={detail}
      />
    ),
  },
  {
    id: "late",
    header: "start offset",
    csvHeader: "start offset (ms)",
    align: "right",
    value: ({ late_ms }) => late_ms,
    cell: ({ late_ms }) => formatStart(late_ms),
  },
  {
    id: "detail",
    header: "details",
    value: ({ detail }) => detail,
    cell: ({ detail, command }) => (
      <span className={classes.text}>
        {detail === "" ? <span className="mono">{command === "" ? NONE : command}</span> : detail}
      </span>
    ),
  },
];

/** Servers start before senders. */
const formatStart = (lateMs: number | null): string =>
  lateMs === null ? NONE : `${milliseconds(Math.abs(lateMs))} ${lateMs < 0 ? "early" : "late"}`;

export function CellDetails({
  run,
  cell,
  full,
  onClose,
}: {
  run: TestRunDetail;
  cell: TestCell;
  full: number;
  onClose: () => void;
}) {
  const { parameters, measured, medium, verdict, state } = cell;
  const details = useQuery({ ...testCellQuery(run.id, cell.index), enabled: run.source !== "paper" });
  return (
    <Panel
      title="Cell"
      aside={
        <ActionIcon variant="subtle" size={24} aria-label="Close the cell" onClick={onClose}>
          <Icon name="close" size={16} />
        </ActionIcon>
      }
    >
      <div ref={intoView} className={classes.stack} data-testid="cell" data-cell={cell.index}>
        <p>
          <b>{describePoint(parameters)}</b>
        </p>
        <p className={classes.figure}>
          <CellSwatch cell={cell} full={full} />
          <b className="num">{measured === null ? stateLabel(state).text : rate(measured.rate)}</b>
          {cell.used !== null && (
            <span className="num dim">
              {percent(cell.used)} of {rate(medium.usable)}
            </span>
          )}
        </p>
        {(measured === null || cell.detail !== "") && (
          <p className={state === "done" ? "dim" : classes.bad}>{describeMissing(cell)}</p>
        )}
        {measured !== null && measured.seconds.length > 1 && (
          <RateBars seconds={measured.seconds} usable={medium.usable} />
        )}
        {verdict !== null && measured !== null && <VerdictDetails verdict={verdict} />}
        {verdict !== null && (verdict.others ?? []).length > 0 && (
          <p className="dim">
            Also considered:{" "}
            {(verdict.others ?? [])
              .map(({ name, confidence }) => `${verdictLabel(name).text} (${confidence})`)
              .join(", ")}
            .
          </p>
        )}
        <Facts facts={factsOf(cell)} />
      </div>
      {measured !== null && measured.cpu.length > 0 && (
        <Table
          label="Processors during the cell"
          noun="nodes"
          rows={measured.cpu}
          columns={CPU}
          rowKey={({ node }) => node}
        />
      )}
      {medium.hops.length > 0 && (
        <Table label="Path" noun="hops" rows={medium.hops} columns={HOPS} rowKey={({ name }) => name} />
      )}
      {details.data !== undefined && details.data.assignments.length > 0 && (
        <Table
          label="Node reports"
          noun="assignments"
          rows={details.data.assignments}
          columns={ASSIGNMENTS}
          rowKey={({ id }: TestCellDetail["assignments"][number]) => id}
        />
      )}
    </Panel>
  );
}

/** On a phone the details are below the matrix: scroll to them on selection. */
function intoView(element: HTMLElement | null): void {
  element?.closest("section")?.scrollIntoView?.({ block: "nearest" });
}

const HOPS: readonly Column<TestCell["medium"]["hops"][number]>[] = [
  { id: "name", header: "hop", value: ({ name }) => name },
  {
    id: "usable",
    header: "usable",
    align: "right",
    value: ({ usable }) => usable,
    cell: ({ usable }) => rate(usable),
  },
  {
    id: "others",
    header: "cross traffic",
    align: "right",
    value: ({ production }) => production,
    cell: ({ production }) => rate(production),
  },
  { id: "mtu", header: "MTU", align: "right", value: ({ mtu }) => mtu, cell: ({ mtu }) => grouped(mtu) },
];

function Table<Row>({
  label,
  noun,
  rows,
  columns,
  rowKey,
}: {
  label: string;
  noun: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
}) {
  return (
    <section className={classes.part}>
      <h3>{label}</h3>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={`${label}, scrollable`}>
        <DataTable label={label} noun={noun} rows={rows} columns={columns} rowKey={rowKey} empty={null} />
      </div>
    </section>
  );
}

/** Measured values only; unknown ones are omitted. */
function factsOf({ flows, measured, medium, start_at, expected_s }: TestCell): Fact[] {
  const facts: (Fact | null)[] = [
    flows.length === 0
      ? null
      : ["endpoints", flows.map(({ sender, receiver }) => `${sender} → ${receiver}`).join(", ")],
    start_at === null ? null : ["start", clock(start_at)],
    measured?.duration_s == null
      ? expected_s === null
        ? null
        : ["expected duration", duration(expected_s)]
      : ["duration", duration(measured.duration_s)],
    ...(measured === null ? [] : measuredFacts(measured)),
    medium.rtt_s === null ? null : ["RTT (idle)", milliseconds(medium.rtt_s * 1000)],
    medium.production === null ? null : ["cross traffic", rate(medium.production)],
  ];
  return facts.filter((fact) => fact !== null);
}

function measuredFacts({
  per_stream,
  retransmits,
  segments,
  loss,
  pps,
  rtt_s,
  rtt_least_s,
  cwnd,
  peer_window,
  path_mtu,
  stalls,
}: Measured): (Fact | null)[] {
  const figures: [term: string, value: number | null, format: (value: number) => string][] = [
    ["RTT (loaded)", rtt_s, (value) => milliseconds(value * 1000)],
    ["RTT (min)", rtt_least_s, (value) => milliseconds(value * 1000)],
    [
      "retransmits",
      retransmits,
      (value) =>
        segments === null || segments === 0
          ? grouped(value)
          : `${grouped(value)} (${percent(value / segments)})`,
    ],
    ["loss", loss, percent],
    ["packet rate", pps, (value) => `${grouped(value)} packets/s`],
    ["congestion window", cwnd, formatBytes],
    ["advertised window", peer_window, formatBytes],
    ["path MTU", path_mtu, grouped],
  ];
  return [
    per_stream.length < 2
      ? null
      : [
          "rate per stream (min to max)",
          `${rate(Math.min(...per_stream))} to ${rate(Math.max(...per_stream))}`,
        ],
    ...figures.map(([term, value, format]): Fact | null => (value === null ? null : [term, format(value)])),
    stalls === null
      ? null
      : [
          "stalls",
          `${grouped(stalls.count)} of ${grouped(stalls.out_of)} writes, typically ${milliseconds(stalls.typical_s * 1000)}`,
        ],
  ];
}

/** Colour and glyph of a cell. */
function CellSwatch({ cell, full }: { cell: TestCell; full: number }) {
  const share = shareOf(cell, full);
  return (
    <span
      className={heat.swatch}
      style={rampStyle(useScheme())}
      data-use={share === null ? "none" : rampClass(share)}
      aria-hidden="true"
    >
      {cellLabel(cell).glyph}
    </span>
  );
}

const HEIGHT = 56;
const WIDTH = 320;

/** Heights of the bars, 0..HEIGHT, scaled to the larger of the usable rate and the peak. */
function heightsOf(seconds: readonly number[], usable: number | null): number[] {
  const most = Math.max(1, usable ?? 0, ...seconds);
  return seconds.map((one) => (one / most) * HEIGHT);
}

/** A cell's rate per second as bars, against the usable rate. */
function RateBars({ seconds, usable }: { seconds: readonly number[]; usable: number | null }) {
  const most = Math.max(1, usable ?? 0, ...seconds);
  const step = WIDTH / seconds.length;
  const text = `${seconds.length} seconds: min ${rate(Math.min(...seconds))}, max ${rate(Math.max(...seconds))}${usable === null ? "" : `, usable ${rate(usable)}`}`;
  return (
    <figure className={classes.seconds}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {heightsOf(seconds, usable).map((height, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- seconds are identified by position
          <rect key={at} x={at * step} width={Math.max(1, step - 1)} y={HEIGHT - height} height={height} />
        ))}
        {usable !== null && (
          <line
            x1="0"
            x2={WIDTH}
            y1={HEIGHT - (usable / most) * HEIGHT + 0.75}
            y2={HEIGHT - (usable / most) * HEIGHT + 0.75}
          />
        )}
      </svg>
      <figcaption className="num dim">{text}</figcaption>
    </figure>
  );
}
