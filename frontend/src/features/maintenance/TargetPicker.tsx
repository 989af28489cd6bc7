/** Selects the objects of a window: by kind, then by name. */
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { rowsOf } from "@/api/list-query";
import { fabricsList, linksList, nodesList, policiesList, portsList } from "@/api/queries";
import type { Target, TargetKind } from "./draft";
import classes from "./Maintenance.module.css";
import { FormError } from "@/ui/FormError";
import { NamePicker } from "@/ui/NamePicker";
import { grouped } from "@/util/units";

const KINDS: readonly { value: TargetKind; label: string }[] = [
  { value: "node", label: "node" },
  { value: "link", label: "link" },
  { value: "port", label: "port" },
  { value: "fabric", label: "fabric" },
  { value: "policy", label: "policy" },
  { value: "site", label: "whole site" },
];
const MOST = 20;
const MOST_SHOWN = 100;

interface Props {
  site: string;
  targets: readonly Target[];
  onChange: (targets: Target[]) => void;
  error: string | undefined;
}

export function TargetPicker({ site, targets, onChange, error }: Props) {
  const [kind, setKind] = useState<TargetKind>("node");
  const [text, setText] = useState("");
  const found = useObjects(site, kind, text);
  const add = (target: Target) => {
    if (!targets.some((known) => known.kind === target.kind && known.id === target.id))
      onChange([...targets, target]);
    setText("");
  };
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          label="Kind of object"
          value={kind}
          data={[...KINDS]}
          onChange={({ currentTarget }) => setKind(currentTarget.value as TargetKind)}
        />
        {kind === "site" ? (
          <Button size="xs" variant="default" onClick={() => add({ kind, id: null, name: site })}>
            Add the whole site
          </Button>
        ) : (
          <NamePicker
            label="Name"
            value=""
            names={found.map(({ name }) => name)}
            onSearch={setText}
            onPick={(name) => {
              const target = found.find((one) => one.name === name);
              if (target !== undefined) add(target);
            }}
          />
        )}
      </div>
      <ul className={classes.targets} aria-label="Objects">
        {targets.slice(0, MOST_SHOWN).map((target) => (
          <li key={`${target.kind} ${target.id}`}>
            <span className="dim">{target.kind}</span> {target.name}
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Remove ${target.name}`}
              onClick={() => onChange(targets.filter((known) => known !== target))}
            >
              Remove
            </Button>
          </li>
        ))}
        {targets.length > MOST_SHOWN && (
          <li className="dim">and {grouped(targets.length - MOST_SHOWN)} more</li>
        )}
      </ul>
      <FormError>{error}</FormError>
    </div>
  );
}

/** Objects of a kind whose names contain the text. */
function useObjects(site: string, kind: TargetKind, text: string): Target[] {
  const wanted = { limit: MOST, ...(text === "" ? {} : { q: text }) };
  const of = (one: TargetKind) => ({ enabled: site !== "" && kind === one });
  const nodes = useInfiniteQuery({ ...nodesList(site, wanted), ...of("node") });
  const links = useInfiniteQuery({ ...linksList(site, wanted), ...of("link") });
  const ports = useInfiniteQuery({ ...portsList(site, wanted), ...of("port") });
  const fabrics = useInfiniteQuery({ ...fabricsList(site, wanted), ...of("fabric") });
  const policies = useInfiniteQuery({ ...policiesList(site, wanted), ...of("policy") });
  const rows: Readonly<Record<TargetKind, readonly { id: number; name: string }[]>> = {
    node: rowsOf(nodes.data) ?? [],
    link: rowsOf(links.data) ?? [],
    port: (rowsOf(ports.data) ?? []).map(({ id, node, name }) => ({ id, name: `${node}:${name}` })),
    fabric: rowsOf(fabrics.data) ?? [],
    policy: rowsOf(policies.data) ?? [],
    site: [],
  };
  return rows[kind].map(({ id, name }) => ({ kind, id, name }));
}
