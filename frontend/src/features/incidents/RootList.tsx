/** Root causes, one line each; expanding one loads its effects. */
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { incidentsQuery } from "@/api/queries";
import type { Incident } from "@/api/types";
import { LineSnooze } from "./IncidentActions";
import classes from "./RootList.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { IncidentLineView } from "@/ui/lists/IncidentList";
import lines from "@/ui/lists/IncidentList.module.css";
import { count } from "@/util/units";

export function RootList({ incidents, site }: { incidents: readonly Incident[]; site: string }) {
  return (
    <ul className={lines.list} aria-label="Incidents">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <IncidentLineView incident={incident} action={<LineSnooze incident={incident} />} />
          {incident.effects > 0 && <Effects incident={incident} site={site} />}
        </li>
      ))}
    </ul>
  );
}

function Effects({ incident, site }: { incident: Incident; site: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={classes.effects}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={open}
        onClick={() => setOpen((before) => !before)}
      >
        {open ? "Hide" : "Show"} {count(incident.effects, "effect")}
      </button>
      {open && <EffectList incident={incident} site={site} />}
    </div>
  );
}

/** Effects of one incident: the unresolved ones, or all once it is resolved. */
export function EffectList({ incident, site }: { incident: Incident; site: string }) {
  const phase = incident.phase === "resolved" ? {} : { phase: "current" as const };
  const effects = useQuery(incidentsQuery(site, { cause_id: incident.id, ...phase }));
  return (
    <QueryBoundary query={effects} what="the effects">
      {(known) => (
        <ul className={lines.effects} aria-label={`Caused by ${incident.title}`}>
          {known.map((effect) => (
            <li key={effect.id}>
              <IncidentLineView incident={effect} />
            </li>
          ))}
        </ul>
      )}
    </QueryBoundary>
  );
}
