/** Who is in the group right now, by count and name, and who of them Backstay may not change. */
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
      title="Who is in it"
      aside={
        <b className="num" aria-live="polite" data-testid="group-count">
          {count(inside.length, "node")}
        </b>
      }
    >
      <div className={classes.stack}>
        <p className={classes.names}>
          {inside.length === 0
            ? "Nobody yet: fill in at least one part of the group."
            : inside.map(({ name }) => name).join(", ")}
        </p>
        {unmanaged.length > 0 && (
          <p className={classes.bad}>
            {count(unmanaged.length, "node")} not managed: {unmanaged.map(({ name }) => name).join(", ")}. A
            plan leaves {unmanaged.length === 1 ? "it" : "them"} as{" "}
            {unmanaged.length === 1 ? "it is" : "they are"}; a <code>routing:</code> key in the site file lets
            Backstay change routes.
          </p>
        )}
        {itself.length > 0 && (
          <p className={classes.bad}>
            {itself.map(({ name }) => name).join(", ")} would be {itself.length === 1 ? "its" : "their"} own
            gateway.
          </p>
        )}
      </div>
    </Panel>
  );
}
