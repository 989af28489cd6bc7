/** Health of an InfiniBand fabric: cables to service, degraded links, error rates over two windows. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { infinibandHealthQuery } from "@/api/queries";
import type { InfinibandHealth } from "@/api/types";
import { Cables } from "./Cables";
import { Degraded } from "./Degraded";
import { ErrorRates } from "./ErrorRates";
import classes from "./HealthPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Counters } from "@/ui/lists/Counters";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { count, duration, NONE } from "@/util/units";

export function HealthPage() {
  const id = Number(useParams().id);
  const health = useQuery(infinibandHealthQuery(id));
  return (
    <QueryBoundary query={health} what="the health report" page="InfiniBand health">
      {(data) => <Report id={id} health={data} />}
    </QueryBoundary>
  );
}

function Report({ id, health }: { id: number; health: InfinibandHealth }) {
  return (
    <>
      <PageHeader
        title={`${health.fabric} health`}
        headline={health.headline}
        aside={<StateBadge state={health.state} text={health.headline} />}
      >
        <Anchor href={`/fabrics/${id}`}>Fabric and ports</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Sweep">
          <Facts facts={factsOf(health)} />
        </Panel>
        <Panel title="Cables to service" flush>
          <Cables cables={health.cables} />
        </Panel>
        <Panel title="Degraded ports" flush>
          <Degraded ports={health.degraded} />
        </Panel>
        <Panel
          title="Error rates"
          aside={
            health.watched_s < health.short_s && (
              <span className="dim">
                Based on {duration(health.watched_s)} of samples; hourly rates are approximate.
              </span>
            )
          }
          flush
        >
          <ErrorRates errors={health.errors} short={health.short_s} long={health.long_s} />
        </Panel>
        {health.differences.length > 0 && (
          <Panel title="Miscabled links" flush>
            <ul>
              {health.differences.map(({ name, reported, url, state }) => (
                <li key={`${name} ${reported}`} className={classes.line}>
                  <StateBadge state={state} quiet /> <Anchor href={url}>{name}</Anchor>{" "}
                  <span className="dim">{reported}</span>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel title="Counters" flush>
          <Counters counters={health.counters} of={health.fabric} />
        </Panel>
      </div>
    </>
  );
}

function factsOf(health: InfinibandHealth): Fact[] {
  return [
    ["subnet manager", health.subnet_manager || NONE],
    ["devices, ports", `${count(health.devices, "device")}, ${count(health.ports, "port")}`],
    ["absent", health.absent.join(", ") || "none"],
    ["not reporting", health.silent.join(", ") || "none"],
    ["sampling period", `${duration(health.watched_s)} of the last ${duration(health.long_s)}`],
  ];
}
