/** All alert rules by group, and the limits on device metrics. */
import { rulesList, type Rule } from "@/api/alerting/rules";
import { useListPage } from "@/api/useListPage";
import { MetricLimits } from "./MetricLimits";
import { settingText } from "./parameters";
import { rulesHeadline } from "./rules";
import classes from "./Rules.module.css";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import { ListFrame, ListTools, NoMatch } from "@/ui/table/ListTable";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<Rule>[] = [
  { id: "name", header: "rule", value: ({ name }) => name, wraps: true },
  {
    id: "enabled",
    header: "state",
    value: ({ enabled }) => enabled,
    cell: ({ enabled, severity }) => (
      <StateLabel state={enabled ? severity : "disabled"} label={enabled ? severity : "disabled"} />
    ),
  },
  { id: "summary", header: "opens an incident when", value: ({ summary }) => summary, wide: true },
  {
    id: "parameters",
    header: "parameters",
    value: parametersText,
    cell: (rule) => parametersText(rule) || <span className="dim">none</span>,
    wide: true,
  },
  { id: "overrides", header: "overrides", align: "right", value: ({ overrides }) => overrides },
  { id: "open_incidents", header: "open", align: "right", value: ({ open_incidents }) => open_incidents },
];

function parametersText({ parameters }: Rule): string {
  return parameters.map((item) => settingText(item, item.value)).join(", ");
}

export function RulesPage() {
  const list = useListPage(rulesList, { filters: {} });
  return (
    <>
      <PageHeader title="Rules" headline={list.headline(rulesHeadline)}>
        <Anchor href="/incidents">Incidents</Anchor>
      </PageHeader>
      <ListFrame list={list} noun="rules" tools={<ListTools list={list} search="Search" filters={[]} />}>
        {(rows) => (rows.length === 0 ? <NoMatch noun="rules" /> : <Groups rules={rows} />)}
      </ListFrame>
      {list.site !== undefined && (
        <div className={classes.limits}>
          <MetricLimits site={list.site} />
        </div>
      )}
    </>
  );
}

function Groups({ rules }: { rules: readonly Rule[] }) {
  const titles = [...new Set(rules.map(({ group_title }) => group_title))];
  return (
    <div className={classes.page}>
      {titles.map((title) => (
        <Panel key={title} title={title} flush>
          <DataTable
            label={`Rules: ${title}`}
            columns={COLUMNS}
            rows={rules.filter(({ group_title }) => group_title === title)}
            rowKey={({ kind }) => kind}
            rowHref={({ kind }) => `/rules/${kind}`}
            noun="rules"
            empty={<EmptyState title="No rules." />}
            isPlain
          />
        </Panel>
      ))}
    </div>
  );
}
