/** What a plan would change of ARP: by shape in meaning and in files' lines; and what a person has to set on devices. */
import { useState } from "react";
import type { ArpPlan } from "@/api/arp";
import classes from "./ChangePage.module.css";
import { DiffView } from "@/ui/DiffView";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { count } from "@/util/units";

export function ArpDifferences({ arp: { shapes, at_once, entries } }: { arp: ArpPlan }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string, shown: boolean) =>
    setOpen(new Set(shown ? [...open, key] : [...open].filter((item) => item !== key)));
  const nodes = shapes.reduce((sum, shape) => sum + shape.nodes.length, 0);
  return (
    <Panel
      title="What will be different of ARP"
      aside={
        <span className="dim">
          {count(nodes, "node")}
          {at_once ? ", all at once" : ""}
        </span>
      }
      flush
    >
      {shapes.length === 0 ? (
        <EmptyState title="Nothing.">Every node already runs and has saved what is wanted of ARP.</EmptyState>
      ) : (
        <ul className={classes.list} aria-label="What will be different of ARP">
          {shapes.map(({ nodes: names, differences, files }) => {
            const key = names.join(" ");
            return (
              <li key={key} className={classes.shape}>
                <p className={classes.words}>
                  <b>{names.length === 1 ? "1 node" : `The same on ${count(names.length, "node")}`}</b>
                  <span>{names.join(", ")}</span>
                </p>
                {differences.length === 0 ? (
                  <p className="dim">Nothing that runs differs: only the files that are read at boot do.</p>
                ) : (
                  <Differences label={names.join(", ")} differences={differences} />
                )}
                {files.length > 0 && (
                  <Disclosure
                    summary={
                      <span>
                        {files.map(({ path }) => path).join(", ")}, line by line
                        {names.length > 1 && ` on ${names[0]}; each node leaves its own address out`}
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
          summary={<span>{count(entries.length, "address", "addresses")} that static entries lead to</span>}
          open={open.has("entries")}
          onToggle={(shown) => toggle("entries", shown)}
        >
          <TextTable
            label="Static entries"
            heads={["address", "hardware address", "whose"]}
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
      heads={["port", "what", "now", "then"]}
      rows={differences.map(({ port, what, before, after }) => [
        port === "" ? "whole node" : port,
        what,
        before,
        after,
      ])}
    />
  );
}

function TextTable({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <div className={classes.scroll}>
      <table className={classes.differences} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(" ")}>
              {row.map((cell, place) =>
                place === 0 ? (
                  <th key={heads[place]} scope="row" className="mono">
                    {cell}
                  </th>
                ) : (
                  <td key={heads[place]} className="mono">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ENTRY_LABELS = {
  there: "there",
  missing: "missing",
  other_mac: "at another hardware address",
  not_lasting: "learnt, not set to last",
} as const;

/** One panel a device; the plan is blocked until its table was read back with every entry in it. */
export function ManualEntries({ handOvers }: { handOvers: ArpPlan["hand_overs"] }) {
  return (
    <>
      {handOvers.map(({ node, port, fabric, done, entries, reminders }) => {
        const open = entries.filter(({ status }) => status !== "there").length;
        return (
          <Panel
            key={`${node}:${port}`}
            title={`Set by a person: ${node}:${port}`}
            aside={
              <StateWord
                state={done ? "ok" : "critical"}
                word={done ? "read back" : `${open} of ${entries.length} to do`}
              />
            }
            flush
          >
            <div className={classes.shape}>
              <p>
                Backstay does not change {node}. It needs a permanent entry for each of these before ARP goes
                off on {fabric}; then plan again.
              </p>
              <ul>
                {reminders.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
            <TextTable
              label={`Entries of ${node}`}
              heads={["address", "hardware address", "whose", "as read back"]}
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
