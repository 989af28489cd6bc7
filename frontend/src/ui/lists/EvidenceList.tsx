/** The sources that report a link, and those that report another one at its ports. */
import classes from "@/ui/lists/EvidenceList.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge } from "@/ui/StateBadge";

interface Source {
  readonly source: string;
  /** Name of the node that reports it, and its id. */
  readonly by: string;
  readonly node_id: number | null;
  readonly at: string;
}

interface Props {
  readonly evidence: readonly Source[];
  readonly conflicts: readonly (Source & { readonly reported_link: string })[];
}

export function EvidenceList({ evidence, conflicts }: Props) {
  if (evidence.length === 0 && conflicts.length === 0)
    return <EmptyState title="No evidence reported for this link." />;
  return (
    <ul>
      {evidence.map((source) => (
        <Evidence key={`${source.source} ${source.by}`} source={source} />
      ))}
      {conflicts.map((source) => (
        <Evidence
          key={`${source.source} ${source.by} ${source.reported_link}`}
          source={source}
          reportedLink={source.reported_link}
        />
      ))}
    </ul>
  );
}

/** A source that reports the link; with `reportedLink`, a source that reports another link at this port. */
function Evidence({
  source: { source, by, node_id, at },
  reportedLink,
}: {
  source: Source;
  reportedLink?: string;
}) {
  return (
    <li className={classes.evidence}>
      <span>
        {reportedLink !== undefined && (
          <StateBadge state="warning" text={`${source} reports another end`} quiet />
        )}{" "}
        {SOURCE_LABELS[source] ?? source}
        {node_id !== null && (
          <span className="dim">
            {" on "}
            <Anchor href={`/devices/${node_id}`}>{by}</Anchor>
          </span>
        )}
        {reportedLink !== undefined && <> reports {reportedLink}</>}
      </span>
      <span className="dim">
        <AgeStamp at={at} suffix="ago" />
      </span>
    </li>
  );
}

const SOURCE_LABELS: Readonly<Record<string, string>> = {
  infiniband: "InfiniBand sweep",
  lldp: "LLDP",
  fdb: "learned address",
  subnet: "point-to-point subnet",
};
