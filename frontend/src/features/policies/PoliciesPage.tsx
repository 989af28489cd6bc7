/** The site's failover policies with gateways and deployment. */
import { policiesList } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import type { Policy } from "@/api/types";
import { policiesHeadline, progressTone } from "./progress";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<Policy>[] = [
  { id: "name", sortable: true, header: "policy", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "prefix",
    sortable: true,
    header: "destination",
    value: ({ prefix }) => prefix,
    cell: ({ prefix }) => <span className="mono">{prefix}</span>,
  },
  {
    id: "gateways",
    sortable: true,
    header: "gateways",
    value: ({ gateways }) => gateways.join(", "),
    cell: ({ gateways, stripe }) =>
      stripe === null ? gateways.join(", then ") : `stripe over ${gateways.join(", ")}`,
  },
  { id: "nodes", sortable: true, header: "nodes", align: "right", value: ({ nodes }) => nodes.length },
  { id: "detection", sortable: true, header: "detection", value: ({ detection }) => detection, wide: true },
  {
    id: "confirmed",
    sortable: true,
    header: "deployed",
    value: ({ progress }) => progress.confirmed,
    cell: (policy) => (
      <StateLabel
        state={progressTone(policy)}
        label={`${policy.progress.confirmed} of ${policy.nodes.length}`}
        title={policy.progress.text}
      />
    ),
  },
  { id: "status", header: "status", value: ({ progress }) => progress.text, wide: true },
  {
    id: "origin",
    sortable: true,
    header: "managed by",
    value: ({ origin }) => origin,
    cell: ({ origin }) => (origin === "file" ? "site file" : "operators"),
    wide: true,
  },
];

export function PoliciesPage() {
  const list = useListPage(policiesList, { columns: COLUMNS, sort: "name" });
  return (
    <>
      <PageHeader title="Policies" headline={list.headline(policiesHeadline)}>
        <ButtonLink href="/policies/new" variant="filled">
          New policy
        </ButtonLink>
      </PageHeader>
      <ListTable
        list={list}
        label="Policies"
        noun="policies"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/policies/${id}`}
        search="Search"
        none={
          <EmptyState title="No policies defined.">
            Create a policy with nodes, a destination and ordered gateways. Nodes change only when a plan is
            approved and applied.
          </EmptyState>
        }
      />
    </>
  );
}
