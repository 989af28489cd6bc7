/** One change: state, actions, differences, failure impact, progress and outcome. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useParams } from "react-router";
import { changePlanQuery, changeQuery } from "@/api/failover";
import type { ChangeDetail, ChangeState, Impact, Plan } from "@/api/types";
import { Actions } from "./Actions";
import { ArpDifferences, ManualEntries } from "./ArpPlan";
import classes from "./ChangePage.module.css";
import { Checks } from "./Checks";
import { Impacts } from "./Impacts";
import { Outcome } from "./Outcome";
import { Shapes } from "./Shapes";
import { Waves } from "./Waves";
import { headline, isOver, STATE_LABELS, stateTone, stepReached, STEPS } from "./labels";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Facts, type Fact } from "@/ui/Facts";
import { FormError } from "@/ui/FormError";
import { PageHeader, PrintButton } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { useCountdown } from "@/ui/useClock";
import { change_kinds } from "@/util/spec.json";
import { clock } from "@/util/time";

/** Draws the site's map, now or under a failure. It belongs to another feature, so the routes pass it in. */
export type WhatIf = (site: string, impact: Impact, after: boolean) => ReactNode;

export function ChangePage({ whatIf }: { whatIf: WhatIf }) {
  const id = Number(useParams().id);
  const query = useQuery(changeQuery(id));
  return (
    <QueryBoundary query={query} what="this change" page="Change">
      {(change) => <Details change={change} receivedAt={query.dataUpdatedAt} whatIf={whatIf} />}
    </QueryBoundary>
  );
}

/** States in which node progress is shown first. */
const BEGUN: ReadonlySet<ChangeState> = new Set([
  "rolling",
  "confirming",
  "done",
  "rolled_back",
  "stopped",
  "failed",
]);

/** Order of the panels: progress while running, differences before, failed checks first when blocked. */
const WATCHED = ["outcome", "waves", "checks", "shapes", "arp", "handOvers", "impacts"] as const;
const READ = ["shapes", "arp", "handOvers", "impacts", "checks", "waves"] as const;
const BLOCKED = ["checks", "handOvers", "shapes", "arp", "impacts", "waves"] as const;

function Details({
  change,
  receivedAt,
  whatIf,
}: {
  change: ChangeDetail;
  receivedAt: number;
  whatIf: WhatIf;
}) {
  const left = useCountdown(change, receivedAt);
  const { state, progress } = change;
  const { plan, long } = usePlan(change);
  const begun = progress.length > 0 && BEGUN.has(state);
  const parts = {
    outcome: isOver(state) && begun && <Outcome key="outcome" change={change} />,
    waves: (progress.length > 0 || (plan?.counts.waves.length ?? 0) > 0) && (
      <Waves key="waves" change={{ ...change, plan }} />
    ),
    shapes: plan !== null && (plan.counts.shapes > 0 || !plan.arp) && <Shapes key="shapes" plan={plan} />,
    arp: plan?.arp ? <ArpDifferences key="arp" arp={plan.arp} /> : false,
    handOvers: plan?.arp ? <ManualEntries key="hand-overs" handOvers={plan.arp.hand_overs} /> : false,
    impacts: plan !== null && plan.impacts.length > 0 && (
      <Impacts key="impacts" site={change.site} plan={plan} whatIf={whatIf} />
    ),
    checks: plan !== null && <Checks key="checks" plan={plan} />,
  };
  const order = begun ? WATCHED : plan?.blocked === true ? BLOCKED : READ;
  return (
    <>
      <PageHeader
        title={`${change.name} ${change.title}`}
        headline={headline(change, left)}
        aside={<StateLabel state={stateTone(state)} label={STATE_LABELS[state]} title={change.state_text} />}
      >
        <PrintButton />
      </PageHeader>
      <div className={classes.page} data-testid="change" data-change-state={state}>
        <Steps change={change} />
        <Actions change={change} left={left} />
        {long}
        {order.map((part) => parts[part])}
        <Panel title="About">
          <Facts facts={factsOf(change)} />
        </Panel>
        <History steps={change.history} />
      </div>
    </>
  );
}

/** The plan, and of a long one the button that loads the rest of its lists. */
function usePlan({ id, plan }: ChangeDetail): { plan: Plan | null; long: ReactNode } {
  const [wanted, setWanted] = useState(false);
  const isLong = plan?.is_whole === false;
  const whole = useQuery({ ...changePlanQuery(id, plan?.digest ?? ""), enabled: isLong && wanted });
  if (!isLong || whole.data !== undefined) return { plan: whole.data ?? plan, long: null };
  return {
    plan,
    long: (
      <Panel title="Long plan">
        <p>Each list of this plan shows its first entries; headlines count all of them.</p>
        <Button size="xs" variant="default" loading={whole.isFetching} onClick={() => setWanted(true)}>
          Load the whole plan
        </Button>
        <FormError>{whole.error?.message}</FormError>
      </Panel>
    ),
  };
}

function factsOf(change: ChangeDetail): Fact[] {
  const { kind, author, reason, ticket, policies, plan, approvals, undoes } = change;
  const facts: Fact[] = [
    ["kind", change_kinds[kind]],
    ["author", author],
  ];
  if (undoes != null)
    facts.push([
      "undoes",
      <Anchor key="undoes" href={`/changes/${undoes}`}>
        change #{undoes}
      </Anchor>,
    ]);
  if (ticket !== "") facts.push(["ticket", ticket]);
  if (policies.length > 0)
    facts.push([
      "policies",
      policies.map((name) => (
        <span key={name}>
          <Anchor href={`/policies?q=${encodeURIComponent(name)}`}>{name}</Anchor>{" "}
        </span>
      )),
    ]);
  const fabrics = change.arp_policies ?? [];
  if (fabrics.length > 0)
    facts.push([
      "ARP policies",
      fabrics.map((name) => (
        <span key={name}>
          <Anchor href={`/arp/${encodeURIComponent(name)}`}>{name}</Anchor>{" "}
        </span>
      )),
    ]);
  for (const { person, at, digest, comment } of approvals)
    facts.push([
      `approved by ${person}`,
      `${clock(at)}, plan ${digest.slice(0, 8)}${comment === "" ? "" : `: ${comment}`}`,
    ]);
  if (plan !== null)
    facts.push(
      ["planned at", clock(plan.made_at)],
      [
        "plan",
        <span
          key="digest"
          className={`mono ${classes.digest}`}
          title={`SHA-256 of all plan inputs: ${plan.digest}`}
        >
          {plan.digest.slice(0, 12)}
        </span>,
      ],
    );
  if (reason !== "")
    facts.push([
      "reason",
      <span key="reason" className={classes.reason}>
        {reason}
      </span>,
    ]);
  return facts;
}

/** Lifecycle of a change: the current state, or the last one reached. */
function Steps({ change }: { change: Pick<ChangeDetail, "state" | "progress"> }) {
  const reached = stepReached(change);
  const left = isOver(change.state) && change.state !== "done";
  const shown = left ? STEPS.slice(0, reached + 1) : STEPS;
  return (
    <ol className={classes.steps} aria-label="Lifecycle">
      {shown.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-reached={index <= reached}
          aria-current={!left && index === reached ? "step" : undefined}
        >
          {STATE_LABELS[step]}
        </li>
      ))}
      {left && (
        <li className={classes.step} aria-current="step">
          {STATE_LABELS[change.state]}
        </li>
      )}
    </ol>
  );
}

/** Events of a change, oldest first. */
function History({ steps }: { steps: ChangeDetail["history"] }) {
  return (
    <Panel title="History">
      <ol className={classes.history} aria-label="History">
        {steps.map(({ at, person, text }) => (
          <li key={`${at} ${person} ${text}`}>
            <time className="num dim" dateTime={at} title={at}>
              {clock(at)}
            </time>
            <b>{person === "" ? "Backstay" : person}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
