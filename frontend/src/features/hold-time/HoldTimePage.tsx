/** Hold-time planner: delay, loss and TCP throughput against blocking, and the recommended h per traffic class. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import {
  hippiModelQuery,
  type HippiModel,
  type HoldRecommendation,
  type TcpResult,
} from "@/api/models/hold-time";
import { useSite } from "@/api/scope";
import classes from "./HoldTime.module.css";
import { Infiniband, Measured } from "./Measured";
import { formOf, queryOf, withForm } from "./parameters";
import { ParameterFields } from "./ParameterFields";
import { adviceText, delayCurves, delayText, known, lossCurves, lossText, tcpCurves } from "./plots";
import { CurveChart, type CurveView } from "@/ui/chart/CurveChart";
import type { Curves } from "@/ui/chart/curves";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateBadge, type StateName } from "@/ui/StateBadge";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { amount, milliseconds, rate } from "@/util/units";

export function HoldTimePage() {
  const site = useSite()?.name ?? "";
  const [params, setParams] = useSearchParams();
  const form = formOf(params);
  const model = useQuery({ ...hippiModelQuery(site, queryOf(form)), enabled: site !== "" });
  return (
    <>
      <PageHeader title="Hold time" headline={model.data?.headline ?? ""} />
      <div className={classes.page}>
        <Panel title="Parameters">
          <ParameterFields
            key={JSON.stringify(form)}
            initial={form}
            model={model.data}
            error={model.error?.message}
            onSubmit={(values) => setParams((old) => withForm(old, values))}
          />
        </Panel>
        <QueryBoundary query={model} what="the model">
          {(data) => <Result model={data} />}
        </QueryBoundary>
      </div>
    </>
  );
}

function Result({ model }: { model: HippiModel }) {
  const { parameters, unlimited, finite } = model;
  const finiteTitle = `h = ${milliseconds(model.curves.finite_hold_ms)}`;
  return (
    <>
      <Panel title="At these parameters">
        <Facts
          facts={[
            ["load (rate x blocking)", known(parameters.load, amount)],
            ["buffer", known(parameters.buffer_packets, (value) => `${amount(value)} packets`)],
            ["delay, h unlimited", delayText(unlimited)],
            ["loss, h unlimited", lossText(unlimited)],
            [`delay, ${finiteTitle}`, delayText(finite)],
            [`loss, ${finiteTitle}`, lossText(finite)],
          ]}
        />
        <p className={`${classes.note} dim`}>
          {[unlimited.reason, finite.reason, finite.simulated ? SIMULATED : ""].filter(Boolean).join(" ")}
        </p>
      </Panel>
      <Panel title="Recommended h">
        <Advice items={model.recommendations} />
      </Panel>
      <div className={classes.charts}>
        <Chart title="Delay against blocking" model={model} curvesOf={delayCurves} />
        <Chart title="Loss against blocking" model={model} curvesOf={lossCurves} />
      </div>
      <Chart title="TCP against blocking" model={model} curvesOf={tcpCurves} />
      <Panel title="TCP at these parameters" flush>
        <DataTable
          label="TCP throughput"
          noun="cases"
          rows={model.tcp}
          columns={TCP}
          rowKey={({ blocked, hold }) => `${blocked} ${hold}`}
          empty={null}
          isPlain
        />
        <ul className={classes.notes}>
          {[...new Set(model.tcp.map(({ note }) => note))].map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Panel>
      <Measured model={model} />
      <Infiniband model={model} />
      <Panel title="Limits of the model">
        <ul className={classes.limits}>
          {model.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

const SIMULATED = "The finite hold time was simulated: packets queue within it.";

function Chart({
  title,
  model,
  curvesOf,
}: {
  title: string;
  model: HippiModel;
  curvesOf: (model: HippiModel) => Curves;
}) {
  const [view, setView] = useState<CurveView>("chart");
  const curves = useMemo(() => curvesOf(model), [model, curvesOf]);
  return (
    <Panel title={title}>
      <CurveChart label={title} curves={curves} view={view} onView={setView} height={240} />
    </Panel>
  );
}

const stateOf = ({ is_met }: HoldRecommendation): StateName =>
  is_met === null ? "unknown" : is_met ? "ok" : "warning";

/** One entry per traffic class: a table would hide the reasons on a phone. */
function Advice({ items }: { items: readonly HoldRecommendation[] }) {
  return (
    <ul className={classes.advice} aria-label="Recommended hold times">
      {items.map((item) => (
        <li key={item.traffic}>
          <div className={classes.choice}>
            <b>{item.title}</b>
            <span className="num">h {adviceText(item)}</span>
            <StateBadge state={stateOf(item)} text={MET[stateOf(item)] ?? ""} />
          </div>
          <p className="dim">{item.reason}</p>
        </li>
      ))}
    </ul>
  );
}

const MET: Partial<Record<StateName, string>> = {
  ok: "its limits are met",
  warning: "its limits cannot be met",
  unknown: "not known whether its limits are met",
};

const TCP: readonly Column<TcpResult>[] = [
  { id: "blocked", header: "blocked", value: ({ blocked }) => (blocked === "acks" ? "ACKs" : "segments") },
  { id: "hold", header: "h", value: ({ hold }) => hold },
  {
    id: "bps",
    header: "throughput",
    csvHeader: "throughput (bit/s)",
    align: "right",
    value: ({ bps }) => bps,
    cell: ({ bps }) => <span className="num">{known(bps, rate)}</span>,
  },
  {
    id: "paper",
    header: "reproduces the paper",
    value: ({ reproduces_paper }) =>
      reproduces_paper === null ? "no published value" : reproduces_paper ? "yes" : "no",
  },
];
