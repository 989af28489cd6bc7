/** One fabric: facts, its traffic, its busiest and most faulty ports, and the counters of its devices. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useParams } from "react-router";
import { fabricHistoryQuery, fabricPortsQuery, fabricQuery } from "@/api/queries";
import { useAnnotations } from "@/api/ports/annotations";
import { useParam, useSite, useZoom } from "@/api/scope";
import type { FabricDetail } from "@/api/types";
import { FabricPorts } from "./FabricPorts";
import { sourceText, toSeries } from "./history";
import classes from "./FabricPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { Chart, type View } from "@/ui/chart/Chart";
import type { Axis } from "@/ui/chart/shape";
import { useClock } from "@/ui/useClock";
import { describe, span as spanOf } from "@/util/time";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Counters } from "@/ui/lists/Counters";
import { Facts, type Fact } from "@/ui/Facts";
import { ChoiceFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { capital } from "@/util/text";
import { count, amount, grouped, rate } from "@/util/units";

const CLOCK_MS = 2000;
const MOST = 50;
const ORDERS = [
  { value: "-utilisation", label: "highest utilisation first" },
  { value: "-errors", label: "most errors first" },
  { value: "name", label: "by name" },
] as const;
type Order = (typeof ORDERS)[number]["value"];

const REPORT_LABELS: Readonly<Record<string, string>> = {
  infiniband: "Health report and cables to replace",
  hippi: "Blocking, rejects and hold time",
};

export function FabricPage() {
  const id = Number(useParams().id);
  const fabric = useQuery(fabricQuery(id));
  return (
    <QueryBoundary query={fabric} what="this fabric" page="Fabric">
      {(data) => <Details fabric={data} />}
    </QueryBoundary>
  );
}

function Details({ fabric }: { fabric: FabricDetail }) {
  return (
    <>
      <PageHeader
        title={fabric.name}
        headline={fabricHeadline(fabric)}
        aside={<StateBadge state={fabric.state} text={fabric.state_text} />}
      >
        {fabric.report !== null && (
          <Anchor href={fabric.report}>{REPORT_LABELS[fabric.kind] ?? "Report"}</Anchor>
        )}
        <Anchor href={`/links?fabric=${encodeURIComponent(fabric.name)}`}>Links</Anchor>
        <Anchor href={`/map?sel=fabric:${fabric.id}`}>Show on the map</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="About">
          <Facts facts={factsOf(fabric)} />
        </Panel>
        <Traffic fabric={fabric} />
        <Busiest fabric={fabric} />
        <Panel title="Device counters" flush>
          <Counters counters={fabric.counters} of={fabric.name} />
        </Panel>
      </div>
    </>
  );
}

function factsOf(fabric: FabricDetail): Fact[] {
  return [
    ["technology", fabric.title === "" ? fabric.kind : fabric.title],
    ["media rate", rate(fabric.media_rate)],
    ["usable rate", rate(fabric.usable_rate)],
    ["MTU", `${grouped(fabric.mtu)} bytes`],
    ["address resolution", fabric.arp],
    ["devices, links", `${count(fabric.nodes, "device")}, ${count(fabric.links, "link")}`],
    ["received by ports", rate(fabric.in_bps)],
    ["sent by ports", rate(fabric.out_bps)],
    ["errors", `${amount(fabric.errors_ps)}/s`],
  ];
}

/** A fabric's traffic depends on all nodes and paths of the site. */
const SITE_WIDE = {};

function Traffic({ fabric }: { fabric: FabricDetail }) {
  const { range, zoom, back } = useZoom();
  const [axis, setAxis] = useParam<Axis>("y", "auto");
  const [view, setView] = useParam<View>("show", "chart");
  const history = useQuery(fabricHistoryQuery(fabric.id, range));
  const now = useClock(CLOCK_MS) / 1000;
  const span = spanOf(range, now);
  const marks = useAnnotations(range, SITE_WIDE);
  const data = useMemo(
    () => (history.data === undefined ? null : { ...toSeries(history.data, fabric), marks: marks ?? [] }),
    [history.data, fabric, marks],
  );
  return (
    <Panel
      title={`Traffic, ${describe(range)}`}
      aside={history.data === undefined ? null : <span className="dim">{sourceText(history.data)}</span>}
    >
      <QueryBoundary query={history} what="the history of this fabric">
        {() =>
          data !== null && (
            <Chart
              data={data}
              span={span}
              axis={axis}
              onAxis={setAxis}
              view={view}
              onView={setView}
              onBrush={zoom}
              onBack={back}
            />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function Busiest({ fabric }: { fabric: FabricDetail }) {
  const site = useSite()?.name ?? "";
  const [order, setOrder] = useParam<Order>("order", "-utilisation");
  const ports = useQuery({
    ...fabricPortsQuery(site, fabric.name, order, MOST),
    enabled: site !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Ports"
      aside={<ChoiceFilter label="Order of ports" value={order} choices={ORDERS} onChange={setOrder} />}
      flush
    >
      <QueryBoundary query={ports} what="the ports">
        {({ items }) => <FabricPorts fabric={fabric.name} ports={items} all={fabric.ports} />}
      </QueryBoundary>
    </Panel>
  );
}

type FabricSummary = Pick<FabricDetail, "state_text" | "counters" | "contradicted_links">;

export function fabricHeadline({ state_text, counters, contradicted_links }: FabricSummary): string {
  const bad = counters
    .filter(({ state }) => state === "warning" || state === "critical")
    .map(({ title }) => `“${title}”`);
  const named = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const cables =
    contradicted_links === 0 ? "" : ` ${count(contradicted_links, "link")} in conflict with device reports.`;
  const worth = named === "" ? "" : ` Needs attention: ${named}.`;
  return `${capital(state_text)}.${cables}${worth}`;
}
