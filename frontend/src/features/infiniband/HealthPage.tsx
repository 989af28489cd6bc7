/** An InfiniBand fabric's health: cables to swap with the reasons, slow links, error rates over two windows. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { infinibandHealthQuery } from "@/api/queries";
import type { InfinibandHealth } from "@/api/types";
import { Cables } from "./Cables";
import { Degraded } from "./Degraded";
import { ErrorRates } from "./ErrorRates";
import classes from "./HealthPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { Answer } from "@/ui/Answer";
import { Counters } from "@/ui/Counters";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { count, duration, NONE } from "@/util/units";

export function HealthPage() {
  const id = Number(useParams().id);
  const health = useQuery(infinibandHealthQuery(id));
  return (
    <Answer asked={health} what="the health report" page="InfiniBand health">
      {(data) => <Report id={id} health={data} />}
    </Answer>
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
        <Anchor href={`/fabrics/${id}`}>The fabric and its ports</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Sweep">
          <Facts facts={factsOf(health)} />
        </Panel>
        <Panel title="Cables to see to" flush>
          <Cables cables={health.cables} />
        </Panel>
        <Panel title="Below width or speed" flush>
          <Degraded ports={health.degraded} />
        </Panel>
        <Panel
          title="Error rates"
          aside={
            health.watched_s < health.short_s && (
              <span className="dim">
                From {duration(health.watched_s)} of counting: rates per hour are rough yet.
              </span>
            )
          }
          flush
        >
          <ErrorRates errors={health.errors} short={health.short_s} long={health.long_s} />
        </Panel>
        {health.differences.length > 0 && (
          <Panel title="Cables that are not as the site file means" flush>
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
        <Panel title="All counters" flush>
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
    ["silent", health.silent.join(", ") || "none"],
    ["counters watched for", `${duration(health.watched_s)} of the last ${duration(health.long_s)}`],
  ];
}
