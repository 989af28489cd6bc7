/** What was measured: gateways beside the model's result, switch ports, and InfiniBand's counterpart. */
import type {
  HeadOfQueueLifetime,
  HippiModel,
  InfinibandPort,
  MeasuredGateway,
  MeasuredPort,
} from "@/api/models/hold-time";
import classes from "./HoldTime.module.css";
import { delayText, holdText, known, lifetimeText, lossText } from "./plots";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { amount, byteSize, duration, milliseconds, percent } from "@/util/units";

function figure<Row>(
  id: string,
  header: string,
  value: (row: Row) => number | null,
  format: (value: number) => string,
  more: { csvHeader?: string; wide?: boolean } = {},
): Column<Row> {
  return {
    id,
    header,
    align: "right",
    value,
    cell: (row) => <span className="num">{known(value(row), format)}</span>,
    ...more,
  };
}

const GATEWAYS: readonly Column<MeasuredGateway>[] = [
  { id: "node", header: "gateway", value: ({ node }) => node },
  {
    id: "hold",
    header: "h",
    csvHeader: "h (ms)",
    value: ({ hold_ms }) => hold_ms,
    cell: ({ hold_ms }) => holdText(hold_ms),
  },
  figure("rate", "packets/s", ({ rate_pps }) => rate_pps, amount),
  figure("size", "size", ({ packet_bytes }) => packet_bytes, byteSize, {
    csvHeader: "size (bytes)",
    wide: true,
  }),
  figure("blocking", "blocking, at least", ({ blocking_ms }) => blocking_ms, milliseconds, {
    csvHeader: "blocking (ms)",
  }),
  figure("loss", "loss, at least", ({ loss }) => loss, percent),
  {
    id: "model-delay",
    header: "model: delay",
    value: ({ model }) => model.delay_ms,
    cell: ({ model }) => <span title={model.reason}>{delayText(model)}</span>,
  },
  {
    id: "model-loss",
    header: "model: loss",
    align: "right",
    value: ({ model }) => model.loss,
    cell: ({ model }) => <span className="num">{lossText(model)}</span>,
  },
];

const PORTS: readonly Column<MeasuredPort>[] = [
  { id: "port", header: "switch port", value: ({ node, port }) => `${node}: ${port}` },
  figure("rate", "packets/s in", ({ rate_pps }) => rate_pps, amount),
  figure("size", "size", ({ packet_bytes }) => packet_bytes, byteSize, {
    csvHeader: "size (bytes)",
    wide: true,
  }),
  figure("rejects", "rejects/s", ({ rejects_ps }) => rejects_ps, amount),
  figure("camp-ons", "camp-ons/s", ({ camp_ons_ps }) => camp_ons_ps, amount),
  figure("blocked", "requests blocked", ({ blocked_share }) => blocked_share, percent),
  figure("delivered", "packets/s out", ({ delivered_pps }) => delivered_pps, amount, { wide: true }),
];

const INFINIBAND: readonly Column<InfinibandPort>[] = [
  { id: "port", header: "port", value: ({ node, port }) => `${node}: ${port}` },
  figure("ticks", "XmitWait, ticks/s", ({ wait_ticks_ps }) => wait_ticks_ps, amount),
  figure("share", "share of time", ({ wait_share }) => wait_share, percent),
  figure("discards", "discards/s", ({ discards_ps }) => discards_ps, amount),
];

const LIFETIMES: readonly Column<HeadOfQueueLifetime>[] = [
  { id: "code", header: "HOQLife", value: ({ code }) => code },
  {
    id: "lifetime",
    header: "lifetime",
    csvHeader: "lifetime (ms)",
    align: "right",
    value: ({ lifetime_ms }) => lifetime_ms,
    cell: ({ lifetime_ms }) => <span className="num">{lifetimeText(lifetime_ms)}</span>,
  },
  figure("loss", "packets discarded", ({ loss }) => loss, percent),
  { id: "note", header: "note", value: ({ note }) => note },
];

export function Measured({ model }: { model: HippiModel }) {
  const hidden = model.ports_total - model.ports.length;
  return (
    <>
      <Panel title={`Gateways, last ${duration(model.window_s)}`} flush>
        <DataTable
          label="Measured gateways"
          noun="gateways"
          rows={model.gateways}
          columns={GATEWAYS}
          rowKey={({ node_id }) => node_id}
          rowHref={({ url }) => url}
          empty={<EmptyState title="No HIPPI-SONET gateway has reported." />}
        />
      </Panel>
      <Panel title={`Switch ports, last ${duration(model.window_s)}`} flush>
        <DataTable
          label="Measured switch ports"
          noun="ports"
          rows={model.ports}
          columns={PORTS}
          rowKey={({ node_id, port }) => `${node_id} ${port}`}
          rowHref={({ url }) => url}
          empty={<EmptyState title="No HIPPI switch has reported." />}
        />
      </Panel>
      {hidden > 0 && <p className="dim">{amount(hidden)} more ports, less blocked, are not listed.</p>}
    </>
  );
}

export function Infiniband({ model }: { model: HippiModel }) {
  return (
    <>
      <Panel title="InfiniBand ports that wait for credits" flush>
        <DataTable
          label="InfiniBand ports that wait"
          noun="ports"
          rows={model.infiniband}
          columns={INFINIBAND}
          rowKey={({ node_id, port }) => `${node_id} ${port}`}
          rowHref={({ url }) => url}
          empty={
            <EmptyState title="No InfiniBand port has waited or discarded packets.">
              XmitWait counts ticks whose length the device chooses: enter it above for the share of time.
            </EmptyState>
          }
        />
      </Panel>
      <Panel title="Head-of-queue lifetime" flush>
        <DataTable
          label="Head-of-queue lifetimes"
          noun="codes"
          rows={model.lifetimes}
          columns={LIFETIMES}
          rowKey={({ code }) => code}
          empty={null}
        />
      </Panel>
      <p className={`${classes.note} dim`}>{model.lifetimes_source}</p>
    </>
  );
}
