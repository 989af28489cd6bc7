/** Evidence of an incident: each observation with its source, age and reporting nodes; contradictions last. */
import type { IncidentDetail } from "@/api/types";
import classes from "./EvidenceList.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";

export function EvidenceList({ evidence }: { evidence: IncidentDetail["evidence"] }) {
  if (evidence.length === 0)
    return (
      <Panel title="Evidence" flush>
        <EmptyState title="No evidence recorded." />
      </Panel>
    );
  return (
    <Panel title="Evidence" flush>
      <ul className={classes.list} aria-label="Evidence">
        {evidence.map((item) => (
          <li
            key={`${item.source} ${item.text} ${item.by}`}
            className={classes.item}
            data-supports={item.supports}
          >
            <span className={classes.verdict}>{item.supports ? "supports" : "contradicts"}</span>
            <span className={classes.source}>{item.label}</span>
            <span className={classes.text}>{item.text}</span>
            <span className={`dim ${classes.by}`}>{item.by !== "" && `reported by ${item.by}`}</span>
            <span className={`dim ${classes.age}`}>
              {item.at === null ? "time unknown" : <AgeStamp at={item.at} suffix="ago" />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
