/** ARP part of a plan: differences by shape, file diffs, and entries to set manually on devices. */
import { useState } from "react";
import type { ArpPlan } from "@/api/arp";
import classes from "./ChangePage.module.css";
import { OmittedFiles } from "./Shapes";
import { DiffView } from "@/ui/DiffView";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import { count } from "@/util/units";

export function ArpDifferences({ arp: { shapes, at_once, entries } }: { arp: ArpPlan }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string, shown: boolean) =>
    setOpen(new Set(shown ? [...open, key] : [...open].filter((item) => item !== key)));
  const nodes = shapes.reduce((sum, shape) => sum + shape.nodes.length, 0);
  return (
    <Panel
      title="ARP changes"
      aside={
        <span className="dim">
          {count(nodes, "node")}
          {at_once ? ", all at once" : ""}
        </span>
      }
      flush
    >
      {shapes.length === 0 ? (
        <EmptyState title="No changes.">
          Every node already runs and has saved the intended ARP configuration.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label="ARP changes">
          {shapes.map(({ nodes: names, differences, files, files_omitted: omitted }) => {
            const key = names.join(" ");
            return (
              <li key={key} className={classes.shape}>
                <p className={classes.summary}>
                  <b>{names.length === 1 ? "1 node" : `Identical on ${count(names.length, "node")}`}</b>
                  <span>{names.join(", ")}</span>
                </p>
                {differences.length === 0 ? (
                  <p className="dim">The running state does not change; only the boot files do.</p>
                ) : (
                  <Differences label={names.join(", ")} differences={differences} />
                )}
                <OmittedFiles count={omitted} />
                {files.length > 0 && (
                  <Disclosure
                    summary={
                      <span>
                        {files.map(({ path }) => path).join(", ")}, diff
                        {names.length > 1 && ` on ${names[0]}; each node omits its own address`}
                      </span>
                    }
                    open={open.has(key)}
                    onToggle={(shown) => toggle(key, shown)}
                  >
                    {files.map(({ path, diff }) => (
                      <DiffView key={path} path={path} diff={diff} />
                    ))}
                  </Disclosure>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {entries.length > 0 && (
        <Disclosure
          summary={<span>{count(entries.length, "address", "addresses")} in static entries</span>}
          open={open.has("entries")}
          onToggle={(shown) => toggle("entries", shown)}
        >
          <TextTable
            label="Static entries"
            heads={["address", "hardware address", "owner"]}
            rows={entries.map(({ address, mac, node, port }) => [address, mac, `${node}:${port}`])}
          />
        </Disclosure>
      )}
    </Panel>
  );
}

function Differences({
  label,
  differences,
}: {
  label: string;
  differences: ArpPlan["shapes"][number]["differences"];
}) {
  return (
    <TextTable
      label={`ARP of ${label}`}
      heads={["port", "setting", "now", "after"]}
      rows={differences.map(({ port, what, before, after }) => [
        port === "" ? "whole node" : port,
        what,
        before,
        after,
      ])}
    />
  );
}

const mono = (text: string | undefined) => <span className="mono">{text}</span>;

function TextTable({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  const columns = heads.map((header, place) => ({
    id: header,
    header,
    value: (row: readonly string[]) => row[place],
    cell: (row: readonly string[]) => mono(row[place]),
  }));
  return (
    <DataTable
      isPlain
      label={label}
      noun="lines"
      rows={rows}
      columns={columns}
      rowKey={(row) => row.join(" ")}
      empty={null}
    />
  );
}

const ENTRY_LABELS = {
  there: "present",
  missing: "missing",
  other_mac: "other hardware address",
  not_lasting: "learned, not permanent",
} as const;

/** One panel per device; the plan is blocked until a poll of the device shows every entry. */
export function ManualEntries({ handOvers }: { handOvers: ArpPlan["hand_overs"] }) {
  return (
    <>
      {handOvers.map(({ node, port, fabric, done, entries, reminders }) => {
        const open = entries.filter(({ status }) => status !== "there").length;
        return (
          <Panel
            key={`${node}:${port}`}
            title={`Manual step: ${node}:${port}`}
            aside={
              <StateLabel
                state={done ? "ok" : "critical"}
                label={done ? "verified" : `${open} of ${entries.length} missing`}
              />
            }
            flush
          >
            <div className={classes.shape}>
              <p>
                Backstay does not configure {node}. Add a permanent entry for each address below before ARP is
                turned off on {fabric}, then replan.
              </p>
              <ul>
                {reminders.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
            <TextTable
              label={`Entries of ${node}`}
              heads={["address", "hardware address", "owner", "status"]}
              rows={entries.map((entry) => [
                entry.address,
                entry.mac,
                entry.node,
                `${ENTRY_LABELS[entry.status]}${entry.status === "other_mac" ? ` ${entry.found}` : ""}`,
              ])}
            />
          </Panel>
        );
      })}
    </>
  );
}
