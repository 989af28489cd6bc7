/** Running state of the ports compared with the boot files, and what must be checked manually. */
import { useQuery } from "@tanstack/react-query";
import { savedStateQuery, type SavedItem, type SavedNode } from "@/api/saved-state";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";

const WHAT = { mtu: "MTU", state: "port", address: "address" } as const;
const VERDICTS = {
  differs: ["warning", "would change on reboot"],
  unknown: ["unknown", "not in a collected file"],
  saved: ["ok", "saved"],
} as const;

export function SavedState({ site, node }: { site: string; node: string }) {
  const query = useQuery(savedStateQuery(site, node));
  if (query.data === null) return null;
  return (
    <Panel
      title="Saved configuration"
      aside={
        query.data !== undefined && query.data.files.length > 0 ? (
          <span className="dim mono">{query.data.files.join(", ")}</span>
        ) : undefined
      }
    >
      <QueryBoundary query={query} what="the saved configuration">
        {(saved) => saved !== null && <SavedDetails saved={saved} />}
      </QueryBoundary>
    </Panel>
  );
}

function SavedDetails({ saved: { text, state, items, reminders, reported } }: { saved: SavedNode }) {
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
        <ul className={classes.savedItems} aria-label="Running and saved state of the ports">
          {items.map((item) => (
            <Item key={`${item.port} ${item.what} ${item.running} ${item.saved}`} item={item} />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ item: { port, what, running, saved, verdict } }: { item: SavedItem }) {
  const [state, label] = VERDICTS[verdict];
  return (
    <li data-verdict={verdict}>
      <b className="mono">{port}</b> {WHAT[what]} <span className="mono">{running}</span>
      {verdict === "differs" && (
        <>
          {" "}
          after a reboot <span className="mono">{saved}</span>
        </>
      )}{" "}
      <StateLabel state={state} label={label} />
    </li>
  );
}
