/** Fields of a node group; a member matches every field that is set. */
import { NativeSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Node, PolicyIn } from "@/api/types";
import { parseLabels, formatLabels, parseNames } from "./group";
import classes from "./PoliciesPage.module.css";
import { ParsedInput } from "./ParsedInput";
import { compare } from "@/util/compare";

interface Props {
  form: UseFormReturnType<PolicyIn>;
  nodes: readonly Node[];
}

const NUMBER = {
  inputMode: "numeric",
  format: (value: number | null) => String(value ?? ""),
  parse: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : null),
} as const;

export function GroupFields({ form, nodes }: Props) {
  const roles = [...new Set(nodes.map(({ role }) => role))].filter(Boolean).sort(compare);
  const keys = [...new Set(nodes.flatMap((node) => Object.keys(node.labels)))].sort(compare);
  return (
    <div className={classes.fields}>
      <ParsedInput
        label="Names or patterns"
        placeholder="sp*, origin1"
        format={(names: string[] = []) => names.join(", ")}
        parse={parseNames}
        {...form.getInputProps("nodes.names")}
      />
      <NativeSelect
        size="xs"
        label="Role"
        data={[{ value: "", label: "any role" }, ...roles]}
        {...form.getInputProps("nodes.role")}
      />
      <ParsedInput label="Node number from" {...NUMBER} {...form.getInputProps("nodes.number_from")} />
      <ParsedInput label="to" {...NUMBER} {...form.getInputProps("nodes.number_to")} />
      <ParsedInput
        label="Labels"
        placeholder={keys.length === 0 ? "quadrant=2" : `${keys[0]}=…`}
        format={formatLabels}
        parse={parseLabels}
        {...form.getInputProps("nodes.labels")}
      />
    </div>
  );
}
