/** Nodes that match the group now, and those that Backstay does not manage. */
import type { Node, NodeGroup } from "@/api/types";
import { members } from "./group";
import classes from "./PoliciesPage.module.css";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";

export function GroupPreview({
  group,
  nodes,
  gateways,
}: {
  group: NodeGroup;
  nodes: readonly Node[];
  gateways: readonly string[];
}) {
  const inside = members(group, nodes);
  const unmanaged = inside.filter(({ engine }) => engine === null);
  const itself = inside.filter(({ name }) => gateways.includes(name));
  return (
    <Panel
      title="Members"
      aside={
        <b className="num" aria-live="polite" data-testid="group-count">
          {count(inside.length, "node")}
        </b>
      }
    >
      <div className={classes.stack}>
        <p className={classes.names}>
          {inside.length === 0
            ? "No nodes match yet. Set at least one field of the group."
            : inside.map(({ name }) => name).join(", ")}
        </p>
        {unmanaged.length > 0 && (
          <p className={classes.bad}>
            {count(unmanaged.length, "node")} not managed: {unmanaged.map(({ name }) => name).join(", ")}.
            Plans skip {unmanaged.length === 1 ? "it" : "them"}. Set the <code>routing:</code> key in the site
            file to let Backstay manage routes.
          </p>
        )}
        {itself.length > 0 && (
          <p className={classes.bad}>
            {itself.map(({ name }) => name).join(", ")}{" "}
            {itself.length === 1 ? "is its own gateway." : "are their own gateways."}
          </p>
        )}
      </div>
    </Panel>
  );
}
