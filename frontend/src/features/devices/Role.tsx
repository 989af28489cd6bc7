/** A node's role in the paths: the policies it is a gateway of, and the gateways of its own paths. */
import { useQuery } from "@tanstack/react-query";
import { pathGroupsList } from "@/api/models/paths";
import { pathsList, policiesQuery } from "@/api/queries";
import { usePages } from "@/api/useListPage";
import type { Node, Path } from "@/api/types";
import classes from "./DevicePage.module.css";
import { gatewayRoles, usageText, type GatewayRole } from "./role";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { FactMark } from "@/ui/FactMark";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";

/** Paths of the node that are listed; a node has one for each policy that it is a member of. */
const MOST_PATHS = 20;

export function Role({ site, node }: { site: string; node: Node }) {
  return node.gateway === null ? <OwnPaths site={site} node={node} /> : <AsGateway site={site} node={node} />;
}

function AsGateway({ site, node }: { site: string; node: Node }) {
  const policies = useQuery(policiesQuery(site));
  const { query: groups, rest } = usePages(pathGroupsList(site));
  const isWhole = rest === undefined;
  const both = {
    data: policies.data && groups.data && { policies: policies.data, groups: groups.data },
    error: policies.error ?? groups.error,
    refetch: () => Promise.all([policies.refetch(), groups.refetch()]),
  };
  return (
    <Panel
      title="Role in paths"
      aside={node.gateway !== null && <FactMark fact="gateway_role" state={node.gateway.role} />}
      flush
    >
      <QueryBoundary query={both} what="the role in paths">
        {(data) => (
          <>
            {node.gateway !== null && <p className={classes.note}>Gateway: {node.gateway.text}.</p>}
            <DataTable
              label={`Policies with ${node.name} as a gateway`}
              noun="policies"
              rows={gatewayRoles(node.name, data.policies, data.groups)}
              columns={isWhole ? WHOLE : PARTLY}
              rowKey={({ policyId }) => policyId}
              rowHref={({ policyId }) => `/policies/${policyId}`}
              isPlain
              empty={<EmptyState title="No policy has this gateway now." />}
            />
          </>
        )}
      </QueryBoundary>
    </Panel>
  );
}

const columnsOf = (isWhole: boolean): readonly Column<GatewayRole>[] => [
  { id: "policy", header: "policy", value: ({ policy }) => policy, cell: ({ policy }) => policy },
  { id: "prefix", header: "destination", value: ({ prefix }) => prefix, wide: true },
  { id: "place", header: "role", value: ({ place }) => place },
  {
    id: "using",
    header: "used now by",
    align: "right",
    value: ({ using }) => using,
    cell: ({ using, nodes }) => <span className="num">{usageText(using, nodes, isWhole)}</span>,
  },
  {
    id: "preferring",
    header: "preferred by",
    align: "right",
    value: ({ preferring }) => preferring,
    cell: ({ preferring, nodes }) => <span className="num">{usageText(preferring, nodes, isWhole)}</span>,
    wide: true,
  },
];
const [WHOLE, PARTLY] = [columnsOf(true), columnsOf(false)];

function OwnPaths({ site, node }: { site: string; node: Node }) {
  const { query, rest } = usePages(pathsList(site, { node: node.name, limit: MOST_PATHS }));
  return (
    <Panel
      title="Role in paths"
      aside={
        <Anchor href={`/paths?node=${encodeURIComponent(node.name)}`}>
          {rest === undefined ? "Paths" : "All paths"}
        </Anchor>
      }
      flush
    >
      <QueryBoundary query={query} what="the paths of this node">
        {(paths) => (
          <DataTable
            label={`Paths of ${node.name}`}
            noun="paths"
            rows={paths}
            columns={PATHS}
            rowKey={({ id }) => id}
            isPlain
            empty={
              <EmptyState title="Not part of any path.">
                It is neither a gateway nor a member of a failover policy.
              </EmptyState>
            }
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

type Gateway = Path["gateways"][number];

const fallbacksOf = ({ gateways }: Path): Gateway[] => gateways.filter(({ active }) => !active);

const PATHS: readonly Column<Path>[] = [
  {
    id: "policy",
    header: "policy",
    value: ({ policy }) => policy,
    cell: ({ policy, policy_id }) => <Anchor href={`/policies/${policy_id}`}>{policy}</Anchor>,
  },
  {
    id: "prefix",
    header: "destination",
    value: ({ prefix }) => prefix,
    cell: ({ prefix }) => <span className="dim num">{prefix}</span>,
    wide: true,
  },
  {
    id: "active",
    header: "gateway now",
    value: ({ active }) => active,
    cell: (path) => <ActiveGateway path={path} />,
  },
  {
    id: "fallback",
    header: "other gateways",
    value: (path) =>
      fallbacksOf(path)
        .map(({ name }) => name)
        .join(" "),
    cell: (path) => (
      <span className={classes.gateways}>
        {fallbacksOf(path).map((gateway) => (
          <GatewayUse key={gateway.name} gateway={gateway} />
        ))}
      </span>
    ),
  },
];

/** A path without a deployed policy is a draft: its gateway is only observed. */
function ActiveGateway({ path: { active, gateways, placement, in_force } }: { path: Path }) {
  const used = gateways.find(({ name }) => name === active);
  return (
    <span className={classes.gateways}>
      {used === undefined ? active || <span className="dim">no route</span> : <GatewayUse gateway={used} />}
      <span className="dim">
        {placement === "none" ? "" : placement}
        {in_force === false ? " (policy not deployed)" : ""}
      </span>
    </span>
  );
}

function GatewayUse({ gateway: { name, node_id, use } }: { gateway: Gateway }) {
  return (
    <span>
      <Anchor href={`/devices/${node_id}`}>{name}</Anchor> <FactMark fact="gateway_use" state={use} />
    </span>
  );
}
