/** A HIPPI fabric: what busy destinations cost, port by port and gateway by gateway, and the hold time h. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { hippiQuery } from "@/api/queries";
import type { HippiReport } from "@/api/types";
import { Gateways } from "./Gateways";
import { SwitchPorts } from "./SwitchPorts";
import classes from "./HippiPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Counters } from "@/ui/Counters";
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
        <Anchor href={`/fabrics/${id}`}>The fabric and its ports</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title={`In the last ${duration(report.window_s)}`}>
          <Facts
            facts={[
              ["blocking factor, at least", milliseconds(report.blocking_factor_ms)],
              ["rejects", `${amount(report.rejects_ps)}/s`],
              ["camped on", `${amount(report.camp_ons_ps)}/s`],
            ]}
          />
          <p className={`${classes.explained} dim`}>
            A HIPPI destination takes one connection at a time. The switch refuses another (reject) or lets it
            wait its turn (camp-on). The blocking factor is the mean wait of packets from afar; those that did
            not wait count in it, so what blocks them holds on for at least that long. A gateway that waited
            for its hold time h gives up and throws away what is queued.
          </p>
        </Panel>
        <Panel title="Gateways" flush>
          <Gateways gateways={report.gateways} />
        </Panel>
        <Panel title="Switch ports" flush>
          <SwitchPorts ports={report.ports} />
        </Panel>
        <Panel title="All counters" flush>
          <Counters counters={report.counters} of={report.fabric} />
        </Panel>
      </div>
    </>
  );
}
