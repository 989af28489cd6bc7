/** One change, whole: what is true, what one may do, what will be different, what it would do, how it goes, how it ended. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { changeQuery } from "@/api/failover";
import type { ChangeDetail, ChangeState, Impact } from "@/api/types";
import { Actions } from "./Actions";
import { ArpDifferences, ManualEntries } from "./ArpPlan";
import classes from "./ChangePage.module.css";
import { Checks } from "./Checks";
import { History } from "./History";
import { Impacts } from "./Impacts";
import { Outcome } from "./Outcome";
import { Shapes } from "./Shapes";
import { Steps } from "./Steps";
import { Waves } from "./Waves";
import { headline, isOver, STATE_LABELS, stateTone } from "./labels";
import { Anchor } from "@/ui/Anchor";
import { Answer } from "@/ui/Answer";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { useCountdown } from "@/ui/useCountdown";
import { clock } from "@/util/time";

/** Draws the site's map as it is, or as it would be under a failure: another feature, so the routes bring it. */
export type WhatIf = (site: string, impact: Impact, after: boolean) => ReactNode;

export function ChangePage({ whatIf }: { whatIf: WhatIf }) {
  const id = Number(useParams().id);
  const asked = useQuery(changeQuery(id));
  return (
    <Answer asked={asked} what="this change" page="Change">
      {(change) => <Details change={change} receivedAt={asked.dataUpdatedAt} whatIf={whatIf} />}
    </Answer>
  );
}

/** In these the nodes are what one looks at first. */
const BEGUN: ReadonlySet<ChangeState> = new Set(["rolling", "confirming", "done", "rolled_back", "failed"]);

/** While it runs one watches the waves; before, one reads what it will do; of a blocked plan first what blocks it. */
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
  const { plan, members, state } = change;
  const begun = members.length > 0 && BEGUN.has(state);
  const parts = {
    outcome: isOver(state) && begun && <Outcome key="outcome" change={change} />,
    waves: (members.length > 0 || (plan?.waves.length ?? 0) > 0) && <Waves key="waves" change={change} />,
    shapes: plan !== null && (plan.shapes.length > 0 || !plan.arp) && (
      <Shapes key="shapes" shapes={plan.shapes} />
    ),
    arp: plan?.arp ? <ArpDifferences key="arp" arp={plan.arp} /> : false,
    handOvers: plan?.arp ? <ManualEntries key="hand-overs" handOvers={plan.arp.hand_overs} /> : false,
    impacts: plan !== null && plan.impacts.length > 0 && (
      <Impacts key="impacts" site={change.site} impacts={plan.impacts} whatIf={whatIf} />
    ),
    checks: plan !== null && <Checks key="checks" plan={plan} />,
  };
  const order = begun ? WATCHED : plan?.blocked === true ? BLOCKED : READ;
  return (
    <>
      <PageHeader
        title={`${change.name} ${change.title}`}
        headline={headline(change, left)}
        aside={<StateWord state={stateTone(state)} word={STATE_LABELS[state]} title={change.state_text} />}
      />
      <div className={classes.page} data-testid="change" data-change-state={state}>
        <Steps change={change} />
        <Actions change={change} left={left} />
        {order.map((part) => parts[part])}
        <Panel title="About">
          <Facts facts={factsOf(change)} />
        </Panel>
        <History steps={change.history} />
      </div>
    </>
  );
}

const KIND_LABELS: Record<ChangeDetail["kind"], string> = {
  policies: "bring policies about",
  arp: "bring ARP policies about",
  restore: "make nodes as intended",
  adopt: "take what runs as intended",
  drill: "a drill",
};

function factsOf(change: ChangeDetail): Fact[] {
  const { kind, author, reason, ticket, policies, plan, approvals } = change;
  const facts: Fact[] = [
    ["kind", KIND_LABELS[kind]],
    ["author", author],
  ];
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
      "ARP of",
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
      ["planned from what was seen at", clock(plan.made_at)],
      [
        "plan",
        <span
          key="digest"
          className={`mono ${classes.digest}`}
          title="SHA-256 over everything the outcome depends on, and all of it"
        >
          {plan.digest}
        </span>,
      ],
    );
  if (reason !== "")
    facts.push([
      "why",
      <span key="reason" className={classes.reason}>
        {reason}
      </span>,
    ]);
  return facts;
}
