/** Evidence of a node by stage, and its managed state before and after. */
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { changeNodeQuery } from "@/api/failover";
import type { ChangeNode, ChangeNodeDetail } from "@/api/types";
import classes from "./ChangePage.module.css";
import { STAGES } from "./labels";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateGlyph } from "@/ui/StateBadge";

/** Evidence of a node, read when it is shown. */
export function Evidence({ change, member }: { change: number; member: ChangeNode }) {
  if (member.checks.length === 0) return <p className="dim">No evidence yet.</p>;
  return <NodeDetail change={change} member={member} as={Everything} />;
}

/** All checks of a node by stage. */
export function AllStages({ change, member }: { change: number; member: ChangeNode }) {
  return <NodeDetail change={change} member={member} as={StagesOf} />;
}

function NodeDetail({
  change,
  member,
  as: Content,
}: {
  change: number;
  member: ChangeNode;
  as: ComponentType<{ node: ChangeNodeDetail }>;
}) {
  const query = useQuery(changeNodeQuery(change, member));
  return (
    <QueryBoundary query={query} what="this node's evidence">
      {(node) => <Content node={node} />}
    </QueryBoundary>
  );
}

function StagesOf({ node }: { node: ChangeNodeDetail }) {
  return <Stages evidence={node.evidence} />;
}

function Everything({ node: { evidence, before, after, guard_until } }: { node: ChangeNodeDetail }) {
  return (
    <>
      {guard_until !== null && (
        <p className="dim">
          The guard is armed. It rolls the node back on its own, independent of this page, the agent and the
          backend.
        </p>
      )}
      <Stages evidence={evidence} />
      {(before !== "" || after !== "") && (
        <div className={classes.sides}>
          <Side title="Before" text={before} />
          <Side title={before === after ? "After (unchanged)" : "After"} text={after} />
        </div>
      )}
    </>
  );
}

export function Stages({ evidence }: Pick<ChangeNodeDetail, "evidence">) {
  return (
    <dl className={classes.stages}>
      {STAGES.map(([stage, title]) => {
        const rows = evidence.filter((item) => item.stage === stage);
        if (rows.length === 0) return null;
        return (
          <div key={stage} data-stage={stage}>
            <dt>{title}</dt>
            <dd>
              <ul className={classes.rows} aria-label={title}>
                {rows.map((row) => (
                  <EvidenceRow key={`${row.what} ${row.found}`} row={row} />
                ))}
              </ul>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function EvidenceRow({ row: { what, ok, found, stage } }: { row: ChangeNodeDetail["evidence"][number] }) {
  // An added or removed line is neither good nor bad.
  if (stage === "applied" && (found === "new" || found === "gone")) {
    return (
      <li>
        <span className="mono" title={found}>
          {found === "gone" ? "−" : "+"}
        </span>
        <span className="mono">{what}</span>
      </li>
    );
  }
  return (
    <li data-ok={ok}>
      <span>
        <StateGlyph state={ok ? "ok" : "critical"} />
        <span className="visually-hidden">{ok ? "passed: " : "failed: "}</span>
      </span>
      <span>{what}</span>
      <span className="dim">{found}</span>
    </li>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.side}>
      <b>{title}</b>
      <pre className="mono" role="region" aria-label={title} tabIndex={0}>
        {text === "" ? "not reported" : text}
      </pre>
    </div>
  );
}
