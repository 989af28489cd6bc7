/** What if these objects fail, together: choose them on the map or by name, and watch the load move. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { whatIfQuery, type FailureDetail, type WhatIf } from "@/api/models/capacity";
import { useSite } from "@/api/scope";
import classes from "./Capacity.module.css";
import {
  type Component,
  queryOf,
  type Scenario,
  scenarioOf,
  toggled,
  unexplainedText,
  withScenario,
} from "./capacity";
import { FailureView } from "./FailureView";
import { FailureForm } from "./FailureForm";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { clock } from "@/util/time";

/** Draws the site under a failure; `growth` is the factor of all loads, null at a past moment. */
export type FailureMap = (props: {
  site: string;
  failure: FailureDetail | null;
  growth: number | null;
  onToggle: (objects: readonly Pick<Component, "kind" | "id">[]) => void;
}) => ReactNode;

export function WhatIfPage({ map }: { map: FailureMap }) {
  const site = useSite()?.name;
  const [params, setParams] = useSearchParams();
  const scenario = useMemo(() => scenarioOf(params), [params]);
  const query = useQuery({ ...whatIfQuery(site ?? "", queryOf(scenario)), enabled: site !== undefined });
  const change = (next: Partial<Scenario>) =>
    setParams((old) => withScenario(old, { ...scenarioOf(old), ...next }), { replace: true });
  // After a refused scenario the former answer is not its answer.
  const answer = query.error === null ? query.data : undefined;
  const failed = answer?.failure.failed ?? [];
  const toggle = (objects: readonly Pick<Component, "kind" | "id">[]) =>
    change({ dead: toggled(scenario.dead, failed, objects) });
  return (
    <>
      <PageHeader title="What if…" headline={answer === undefined ? "" : answer.failure.sentence} />
      <div className={classes.page}>
        <div className={classes.scenario}>
          <Panel title="Map" aside={<span className="dim">click an object to let it fail</span>}>
            {site !== undefined &&
              map({
                site,
                failure: answer?.failure ?? null,
                growth: scenario.at === "" ? 1 + scenario.growth / 100 : null,
                onToggle: toggle,
              })}
          </Panel>
          <Panel title="Scenario">
            <FailureForm
              key={`${scenario.at} ${scenario.growth}`}
              site={site}
              scenario={scenario}
              failed={failed}
              onChange={change}
              onToggle={toggle}
            />
            {answer && <Moment answer={answer} />}
          </Panel>
        </div>
        <QueryBoundary query={{ ...query, data: answer }} what="the effect of this failure">
          {({ failure }) => <FailureView failure={failure} />}
        </QueryBoundary>
      </div>
    </>
  );
}

/** Which loads the answer is based on. */
function Moment({ answer }: { answer: WhatIf }) {
  const unexplained = unexplainedText(answer);
  return (
    <ul className={classes.notes}>
      <li>
        Loads of <time dateTime={answer.at}>{clock(answer.at)}</time>.
      </li>
      {unexplained !== "" && <li>{unexplained}</li>}
    </ul>
  );
}
