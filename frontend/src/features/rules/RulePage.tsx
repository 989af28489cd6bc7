/** One rule: settings of the site, overrides for parts of it, preview, and what it cannot evaluate. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
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
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
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
    <QueryBoundary query={query} what="the rule" page="Rule">
      {(rule) => <Details site={site} rule={rule} />}
    </QueryBoundary>
  );
}

function Details({ site, rule }: { site: string; rule: Rule }) {
  const { data: person } = useQuery(sessionQuery);
  const maySave = may.editRules(person);
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
          <RuleForm key={JSON.stringify(rule)} site={site} rule={rule} edited="site" maySave={maySave} />
        </Panel>
        {rule.scopes.length > 1 && <Overrides site={site} rule={rule} maySave={maySave} />}
        {rule.lists_unmeasured && <UnmeasuredPanel site={site} kind={rule.kind} />}
      </div>
    </>
  );
}

interface OverridesProps {
  site: string;
  rule: Rule;
  maySave: boolean;
}

/** The overrides; `?override=` names the one whose form is open, so that other pages can link it. */
function Overrides({ site, rule, maySave }: OverridesProps) {
  const query = useQuery(overridesQuery(site, rule.kind));
  const [name, open] = useParam("override", "");
  const [isAdding, setAdding] = useState(false);
  const columns = useMemo(() => columnsOf(rule, maySave, open), [rule, maySave, open]);
  return (
    <Panel title="Overrides for parts of the site">
      <div className={classes.stack}>
        <p className="dim">
          The most specific value wins: port, label, role, fabric, whole site. Of two overrides of the same
          kind, the first in the alphabet wins.
        </p>
        <QueryBoundary query={query} what="the overrides">
          {({ items }) => (
            <>
              <DataTable
                label="Overrides"
                columns={columns}
                rows={items}
                rowKey={({ id }) => id}
                noun="overrides"
                empty={<EmptyState title="No overrides." />}
                isPlain
              />
              <Edited
                site={site}
                rule={rule}
                maySave={maySave}
                name={name}
                override={items.find((item) => item.name === name)}
                onDone={() => open("")}
              />
            </>
          )}
        </QueryBoundary>
        {maySave && (
          <Disclosure summary={<span>New override</span>} open={isAdding} onToggle={setAdding}>
            <RuleForm site={site} rule={rule} edited="new" maySave onDone={() => setAdding(false)} />
          </Disclosure>
        )}
      </div>
    </Panel>
  );
}

/** The form of the override that the URL names. */
function Edited({
  override,
  name,
  ...form
}: OverridesProps & { override: RuleOverride | undefined; name: string; onDone: () => void }) {
  if (name === "") return null;
  if (override === undefined) return <p role="status">There is no override for {name} any more.</p>;
  if (override.origin === "file")
    return <p role="status">The site file owns the override for {name}: edit the file and import it.</p>;
  return <RuleForm key={JSON.stringify(override)} edited={override} {...form} />;
}

const columnsOf = (
  rule: Rule,
  maySave: boolean,
  open: (name: string) => void,
): readonly Column<RuleOverride>[] => [
  { id: "for", header: "for", value: ({ name }) => name, wraps: true },
  { id: "settings", header: "settings", value: (row) => settingsText(row, rule), wraps: true },
  { id: "by", header: "set by", value: setByText, wide: true },
  {
    id: "actions",
    header: "",
    isControl: true,
    value: () => "",
    wraps: true,
    cell: (row) =>
      row.origin === "file" ? (
        <span className="dim">edit the site file</span>
      ) : maySave ? (
        <span className={classes.actions}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Edit the override for ${row.name}`}
            onClick={() => open(row.name)}
          >
            Edit
          </Button>
          <Remove row={row} />
        </span>
      ) : null,
  },
];

function Remove({ row }: { row: RuleOverride }) {
  const remove = useRemoveOverride();
  return (
    <ConfirmButton
      size="compact-xs"
      isBusy={remove.isPending}
      title={`Delete the override for ${row.name}?`}
      consequence="The less specific settings apply from the next round on."
      action="Delete override"
      onConfirm={() => remove.mutate(row.id)}
    >
      Delete<span className="visually-hidden"> the override for {row.name}</span>
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
