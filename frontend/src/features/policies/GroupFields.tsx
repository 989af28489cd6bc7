/** Fields of a node group; a member matches every field that is set. */
import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Node, NodeGroup } from "@/api/types";
import { parseLabels, formatLabels, parseNames } from "./group";
import classes from "./PoliciesPage.module.css";
import { compare } from "@/util/compare";

interface Props {
  group: NodeGroup;
  nodes: readonly Node[];
  onChange: (next: NodeGroup) => void;
}

const numberOf = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);

export function GroupFields({ group, nodes, onChange }: Props) {
  const [names, setNames] = useState((group.names ?? []).join(", "));
  const [labels, setLabels] = useState(formatLabels(group.labels));
  const roles = [...new Set(nodes.map(({ role }) => role))].filter(Boolean).sort(compare);
  const keys = [...new Set(nodes.flatMap((node) => Object.keys(node.labels)))].sort(compare);
  return (
    <div className={classes.fields}>
      <TextInput
        size="xs"
        label="Names or patterns"
        placeholder="sp*, origin1"
        value={names}
        onChange={(event) => {
          setNames(event.currentTarget.value);
          onChange({ ...group, names: parseNames(event.currentTarget.value) });
        }}
      />
      <NativeSelect
        size="xs"
        label="Role"
        value={group.role}
        data={[{ value: "", label: "any role" }, ...roles]}
        onChange={(event) => onChange({ ...group, role: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        label="Node number from"
        inputMode="numeric"
        value={group.number_from ?? ""}
        onChange={(event) => onChange({ ...group, number_from: numberOf(event.currentTarget.value) })}
      />
      <TextInput
        size="xs"
        label="to"
        inputMode="numeric"
        value={group.number_to ?? ""}
        onChange={(event) => onChange({ ...group, number_to: numberOf(event.currentTarget.value) })}
      />
      <TextInput
        size="xs"
        label="Labels"
        placeholder={keys.length === 0 ? "quadrant=2" : `${keys[0]}=…`}
        value={labels}
        onChange={(event) => {
          setLabels(event.currentTarget.value);
          onChange({ ...group, labels: parseLabels(event.currentTarget.value) });
        }}
      />
    </div>
  );
}
