/** A short tour: a card at each stop says what the page is for. The stop is in the address, `?tour=3`. */
import { Button } from "@mantine/core";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { carry, useUrlState } from "@/api/scope";
import classes from "./Tour.module.css";

interface Stop {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export const STOPS: readonly Stop[] = [
  {
    path: "/",
    title: "Is anything wrong?",
    text: "The sentence at the top says it. Each tile opens its list: problems, full links, recent changes, what awaits you, what does not report.",
  },
  {
    path: "/map",
    title: "The network and its load",
    text: "Each half of a line is one direction. Select a node to see its paths. The time range at the top shows the past, here and on most pages.",
  },
  {
    path: "/paths",
    title: "Who uses which gateway",
    text: "Paths are grouped by what they have in common: the gateway in use, whether it delivers, and whether another one could take over.",
  },
  {
    path: "/capacity",
    title: "Will the fallback hold?",
    text: "Every failure of a gateway, link, switch or fabric is tried on the present load, before it happens. What-if tries one with more traffic.",
  },
  {
    path: "/changes",
    title: "Changes that undo themselves",
    text: "A change shows its effect before it is approved. Unless somebody confirms it in time, the nodes return to their earlier routes by themselves.",
  },
  {
    path: "/incidents",
    title: "One incident per cause",
    text: "Effects are listed under their cause. Acknowledge, snooze or assign them; notifications and their routes are under Incidents and events.",
  },
  {
    path: "/help/operator",
    title: "When you need more",
    text: "Ctrl-K finds every node, port, address and page. ? lists the keys. The help button of each page opens its documentation.",
  },
];

/** Address of a stop, counted from 1. */
export const stopUrl = (number: number): string => `${STOPS[number - 1]?.path ?? "/"}?tour=${number}`;

export function Tour() {
  const { pathname, search } = useLocation();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [, set] = useUrlState({ tour: "" });
  const number = Number(params.get("tour"));
  const stop = STOPS[number - 1];
  // Whoever goes elsewhere, or edits the address, is no longer on the tour.
  if (stop?.path !== pathname) return null;
  const go = (to: number) => void navigate(carry(stopUrl(to), search));
  return (
    <section aria-label="Tour" aria-live="polite" className={classes.card} data-print="none">
      <p className="dim">
        Tour, stop {number} of {STOPS.length}
      </p>
      <h2>{stop.title}</h2>
      <p>{stop.text}</p>
      <div className={classes.acts}>
        <Button size="xs" variant="subtle" onClick={() => set("tour", "")}>
          End
        </Button>
        <Button size="xs" variant="default" disabled={number === 1} onClick={() => go(number - 1)}>
          Back
        </Button>
        {number < STOPS.length && (
          <Button size="xs" onClick={() => go(number + 1)}>
            Next
          </Button>
        )}
      </div>
    </section>
  );
}
