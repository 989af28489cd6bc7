/** One rule: settings of the site, overrides for parts of it, preview, and what it cannot evaluate. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import {
  overridesQuery,
  ruleQuery,
  unmeasuredQuery,
  useRemoveOverride,
  type Rule,
  type RuleOverride,
  type Unmeasured,
} from "@/api/alerting/rules";
import { useSite } from "@/api/scope";
import { RuleForm } from "./RuleForm";
import { setByText, settingsText } from "./rules";
import classes from "./Rules.module.css";
import { Anchor } from "@/ui/Anchor";
import { ConfirmButton } from "@/ui/confirm";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState, Waiting } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { count } from "@/util/units";

export function RulePage() {
  const { kind = "" } = useParams();
  const site = useSite()?.name;
  const query = useQuery({ ...ruleQuery(site ?? "", kind), enabled: site !== undefined });
  if (site === undefined) return <Waiting what="the sites" />;
  return (
    <QueryBoundary query={query} what="the rule" page={`Rule ${kind}`}>
      {(rule) => <Details site={site} rule={rule} />}
    </QueryBoundary>
  );
}

function Details({ site, rule }: { site: string; rule: Rule }) {
  const runbook = rule.runbook.replace(/^.*\/(.*)\.md$/, "$1");
  const open =
    rule.open_incidents === 0 ? "No open incidents." : `${count(rule.open_incidents, "open incident")}.`;
  return (
    <>
      <PageHeader
        title={rule.name}
        headline={`${rule.summary} ${open}`}
        aside={
          <StateLabel
            state={rule.enabled ? rule.severity : "disabled"}
            label={rule.enabled ? rule.severity : "disabled"}
          />
        }
      >
        <Anchor href="/rules">All rules</Anchor>
        <Anchor href={`/incidents?kind=${rule.kind}`}>Its incidents</Anchor>
        <Anchor href={`/runbooks/${runbook}`}>Runbook</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Whole site">
          <RuleForm key={JSON.stringify(rule)} site={site} rule={rule} scope="site" />
        </Panel>
        {rule.scopes.length > 1 && <Overrides site={site} rule={rule} />}
        {rule.lists_unmeasured && <UnmeasuredPanel site={site} kind={rule.kind} />}
      </div>
    </>
  );
}

function Overrides({ site, rule }: { site: string; rule: Rule }) {
  const query = useQuery(overridesQuery(site, rule.kind));
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel title="Overrides for parts of the site">
      <div className={classes.stack}>
        <p className="dim">
          The most specific value wins: port, label, role, fabric, whole site. Of two overrides of the same
          kind, the first in the alphabet wins.
        </p>
        <QueryBoundary query={query} what="the overrides">
          {({ items }) => (
            <DataTable
              label="Overrides"
              columns={OVERRIDES}
              rows={items}
              rowKey={({ id }) => id}
              noun="overrides"
              empty={<EmptyState title="No overrides." />}
              isPlain
            />
          )}
        </QueryBoundary>
        <Disclosure summary={<span>New override</span>} open={isAdding} onToggle={setAdding}>
          <RuleForm site={site} rule={rule} scope="role" onDone={() => setAdding(false)} />
        </Disclosure>
      </div>
    </Panel>
  );
}

const OVERRIDES: readonly Column<RuleOverride>[] = [
  { id: "for", header: "for", value: ({ name }) => name },
  { id: "settings", header: "settings", value: settingsText },
  { id: "by", header: "set by", value: setByText },
  {
    id: "remove",
    header: "",
    value: () => "",
    cell: (row) =>
      row.origin === "file" ? <span className="dim">edit the site file</span> : <Remove row={row} />,
  },
];

function Remove({ row }: { row: RuleOverride }) {
  const remove = useRemoveOverride();
  return (
    <ConfirmButton
      isBusy={remove.isPending}
      title={`Delete the override for ${row.name}?`}
      consequence="The less specific settings apply from the next round on."
      action="Delete override"
      onConfirm={() => remove.mutate(row.id)}
    >
      Delete
    </ConfirmButton>
  );
}

const UNMEASURED: readonly Column<Unmeasured>[] = [
  { id: "name", header: "object", value: ({ name }) => name },
  { id: "reason", header: "reason", value: ({ reason }) => reason },
];

function UnmeasuredPanel({ site, kind }: { site: string; kind: string }) {
  const query = useQuery(unmeasuredQuery(site, kind));
  return (
    <Panel title="Not evaluated: unknown capacity or value" flush>
      <QueryBoundary query={query} what="the list">
        {({ items }) => (
          <DataTable
            label="Objects that are not evaluated"
            columns={UNMEASURED}
            rows={items}
            rowKey={({ name }) => name}
            rowHref={({ url }) => url ?? undefined}
            noun="objects"
            empty={<EmptyState title="Every object is evaluated." />}
            isPlain
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
