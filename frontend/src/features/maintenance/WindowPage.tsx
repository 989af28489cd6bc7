/** One maintenance window: what it covers, what it stops, its next times. */
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useWindowAction, windowQuery } from "./queries";
import type { MaintenanceWindowDetail } from "@/api/types";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry } from "@/api/scope";
import { stopsText } from "./draft";
import classes from "./Maintenance.module.css";
import { stateLabels, stateTone } from "./states";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { clock } from "@/util/time";
import { count, duration } from "@/util/units";

export function WindowPage() {
  const id = Number(useParams().id);
  const query = useQuery(windowQuery(id));
  return (
    <QueryBoundary query={query} what="this maintenance window" page="Maintenance window">
      {(data) => <Details window={data} />}
    </QueryBoundary>
  );
}

function factsOf(window: MaintenanceWindowDetail): Fact[] {
  const { nodes, links, paths } = window;
  return [
    ["stops", stopsText(window)],
    ["repeats", window.rule === "" ? "once" : window.rule],
    ["time zone", window.zone],
    ["length", duration(window.duration_s)],
    [
      "covers",
      window.everything
        ? "the whole site"
        : `${count(nodes, "node")}, ${count(links, "link")}, ${count(paths, "path")}`,
    ],
    ["planned by", window.author ?? "nobody"],
    ["changed", clock(window.changed_at)],
  ];
}

function Details({ window }: { window: MaintenanceWindowDetail }) {
  const { data: person } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader
        title={window.name}
        headline={window.reason}
        aside={<StateLabel state={stateTone(window.state)} label={stateLabels[window.state]} />}
      >
        {may.changeIncidents(person) && <Actions window={window} />}
      </PageHeader>
      <div className={classes.stack}>
        <Panel title="About">
          <Facts facts={factsOf(window)} />
        </Panel>
        <Panel title="Objects">
          <ul className={classes.targets} aria-label="Objects">
            {window.targets.map(({ kind, id, name, url }) => (
              <li key={`${kind} ${id}`}>
                <span className="dim">{kind}</span> {url === null ? name : <Anchor href={url}>{name}</Anchor>}
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Next times">
          {window.upcoming.length === 0 ? (
            <EmptyState title="It does not take place again." />
          ) : (
            <ul className={classes.times} aria-label="Next times">
              {window.upcoming.map(({ begins_at, ends_at }) => (
                <li key={begins_at}>
                  {clock(begins_at)} to {clock(ends_at)}
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </>
  );
}

function Actions({ window }: { window: MaintenanceWindowDetail }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const end = useWindowAction(window.id, "end", () => notify("good", "Maintenance ended."));
  const remove = useWindowAction(window.id, "delete", () => void navigate(carry("/maintenance", search)));
  return (
    <>
      {window.state === "active" && (
        <ConfirmButton
          isBusy={end.isPending}
          title={`End ${window.name} now?`}
          consequence="Its objects notify again at once; later occurrences stay."
          action="End maintenance"
          onConfirm={() => end.mutate()}
        >
          End now
        </ConfirmButton>
      )}
      <ButtonLink href={`${window.url}/edit`}>Edit</ButtonLink>
      <ConfirmButton
        isBusy={remove.isPending}
        title={`Delete ${window.name}?`}
        consequence="All its occurrences are gone; events that it caused stay."
        action="Delete"
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
