/** The site's failover policies with gateways and deployment. */
import { useQuery } from "@tanstack/react-query";
import { policiesQuery } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Policy } from "@/api/types";
import { policiesHeadline, progressTone } from "./progress";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table";

const COLUMNS: readonly Column<Policy>[] = [
  { id: "name", header: "policy", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "prefix",
    header: "destination",
    value: ({ prefix }) => prefix,
    cell: ({ prefix }) => <span className="mono">{prefix}</span>,
  },
  {
    id: "gateways",
    header: "gateways",
    value: ({ gateways }) => gateways.join(", "),
    cell: ({ gateways, stripe }) =>
      stripe === null ? gateways.join(", then ") : `stripe over ${gateways.join(", ")}`,
  },
  { id: "nodes", header: "nodes", align: "right", value: ({ nodes }) => nodes.length },
  { id: "detection", header: "detection", value: ({ detection }) => detection, wide: true },
  {
    id: "confirmed",
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
    header: "managed by",
    value: ({ origin }) => origin,
    cell: ({ origin }) => (origin === "file" ? "site file" : "operators"),
    wide: true,
  },
];

export function PoliciesPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "name");
  const [q, setQ] = useParam("q", "");
  const policies = useQuery({ ...policiesQuery(site?.name ?? ""), enabled: site !== undefined });
  const isMatch = ({ name, prefix, gateways, note }: Policy) =>
    `${name} ${prefix} ${gateways.join(" ")} ${note}`.toLowerCase().includes(q.trim().toLowerCase());
  return (
    <>
      <PageHeader
        title="Policies"
        headline={policies.data === undefined ? "" : policiesHeadline(policies.data)}
      >
        <ButtonLink href="/policies/new" variant="filled">
          New policy
        </ButtonLink>
      </PageHeader>
      <QueryBoundary query={policies} what="the policies">
        {(rows) => (
          <DataTable
            label="Policies"
            noun="policies"
            rows={rows.filter(isMatch)}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/policies/${id}`}
            sort={sort}
            onSort={setSort}
            tools={<TextFilter label="Search" value={q} onChange={setQ} />}
            empty={
              rows.length === 0 ? (
                <EmptyState title="No policies defined.">
                  Create a policy with nodes, a destination and ordered gateways. Nodes change only when a
                  plan is approved and applied.
                </EmptyState>
              ) : (
                <EmptyState title="No matching policies.">
                  Clear the filter to see all {rows.length} policies.
                </EmptyState>
              )
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
