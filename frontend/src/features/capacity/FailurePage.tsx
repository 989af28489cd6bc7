/** One single failure of the newest study. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { capacityFailureQuery } from "@/api/models/capacity";
import classes from "./Capacity.module.css";
import { FailureView } from "./FailureView";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { PageHeader } from "@/ui/PageHeader";
import { QueryBoundary } from "@/ui/QueryBoundary";

export function FailurePage() {
  const id = Number(useParams()["id"]);
  const query = useQuery(capacityFailureQuery(id));
  return (
    <QueryBoundary query={query} what="the failure" page="Will it hold?">
      {(failure) => (
        <>
          <PageHeader
            title={`If ${failure.name} fails`}
            headline={
              <>
                {failure.reason}{" "}
                <span className="dim">
                  Loads of <AgeStamp at={failure.computed_at} suffix="ago" />
                  {failure.is_stale ? ", too old to rely on" : ""}
                </span>
              </>
            }
          >
            <ButtonLink href={`/capacity/what-if?dead=${encodeURIComponent(failure.key)}`}>
              Open in what-if
            </ButtonLink>
          </PageHeader>
          <div className={classes.page}>
            <FailureView failure={failure} />
          </div>
        </>
      )}
    </QueryBoundary>
  );
}
