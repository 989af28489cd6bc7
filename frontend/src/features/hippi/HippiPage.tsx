/** Blocking on a HIPPI fabric, by port and gateway, with the hold time h. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { hippiQuery } from "@/api/queries";
import type { HippiReport } from "@/api/types";
import { Gateways } from "./Gateways";
import { SwitchPorts } from "./SwitchPorts";
import classes from "./HippiPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Counters } from "@/ui/lists/Counters";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { duration, amount, milliseconds } from "@/util/units";

export function HippiPage() {
  const id = Number(useParams().id);
  const report = useQuery(hippiQuery(id));
  return (
    <QueryBoundary query={report} what="the HIPPI report" page="HIPPI">
      {(data) => <Report id={id} report={data} />}
    </QueryBoundary>
  );
}

function Report({ id, report }: { id: number; report: HippiReport }) {
  return (
    <>
      <PageHeader
        title={`${report.fabric} blocking`}
        headline={report.headline}
        aside={<StateBadge state={report.state} text={report.headline} />}
      >
        <Anchor href={`/fabrics/${id}`}>Fabric and ports</Anchor>
        <Anchor href="/hold-time">Plan the hold time</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title={`Last ${duration(report.window_s)}`}>
          <Facts
            facts={[
              ["blocking factor (lower bound)", milliseconds(report.blocking_factor_ms)],
              ["rejects", `${amount(report.rejects_ps)}/s`],
              ["camp-ons", `${amount(report.camp_ons_ps)}/s`],
            ]}
          />
          <p className={`${classes.explained} dim`}>
            A HIPPI destination accepts one connection at a time. The switch rejects a second request or
            queues it (camp-on). The blocking factor is the mean wait of packets from remote sites, including
            packets that did not wait, so the blocking connection lasts at least that long. A gateway that
            waits longer than its hold time h drops the queued packets.
          </p>
        </Panel>
        <Panel title="Gateways" flush>
          <Gateways gateways={report.gateways} />
        </Panel>
        <Panel title="Switch ports" flush>
          <SwitchPorts ports={report.ports} />
        </Panel>
        <Panel title="Counters" flush>
          <Counters counters={report.counters} of={report.fabric} />
        </Panel>
      </div>
    </>
  );
}
