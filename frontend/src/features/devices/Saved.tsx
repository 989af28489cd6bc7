/** What of a node runs but is not saved: its ports against the boot files that are read, and what a person has to check. */
import { useQuery } from "@tanstack/react-query";
import { savedStateQuery, type SavedItem, type SavedNode } from "@/api/saved-state";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";

const WHAT = { mtu: "MTU", state: "port", address: "address" } as const;
const VERDICTS = {
  differs: ["warning", "would change at a boot"],
  unknown: ["unknown", "not in a file that is read"],
  saved: ["ok", "saved"],
} as const;

export function Saved({ site, node }: { site: string; node: string }) {
  const asked = useQuery(savedStateQuery(site, node));
  const told = asked.data?.[0];
  if (asked.data !== undefined && told === undefined) return null;
  return (
    <Panel
      title="Saved for its next boot"
      aside={
        told !== undefined && told.files.length > 0 ? (
          <span className="dim mono">{told.files.join(", ")}</span>
        ) : undefined
      }
    >
      <QueryBoundary query={asked} what="what is saved">
        {() => (told === undefined ? null : <Told told={told} />)}
      </QueryBoundary>
    </Panel>
  );
}

function Told({ told: { text, state, items, reminders, reported } }: { told: SavedNode }) {
  return (
    <>
      <p className={classes.saved}>
        <StateLabel state={state} label={text} />
      </p>
      {reported.map((line) => (
        <p key={line} className="dim">
          {line}
        </p>
      ))}
      {reminders.map((reminder) => (
        <p key={reminder}>{reminder}</p>
      ))}
      {items.length > 0 && (
        <ul className={classes.savedItems} aria-label="What runs on its ports and what is saved">
          {items.map((item) => (
            <Item key={`${item.port} ${item.what} ${item.running} ${item.saved}`} item={item} />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ item: { port, what, running, saved, verdict } }: { item: SavedItem }) {
  const [state, word] = VERDICTS[verdict];
  return (
    <li data-verdict={verdict}>
      <b className="mono">{port}</b> {WHAT[what]} <span className="mono">{running}</span>
      {verdict === "differs" && (
        <>
          {" "}
          after a boot <span className="mono">{saved}</span>
        </>
      )}{" "}
      <StateLabel state={state} label={word} />
    </li>
  );
}
