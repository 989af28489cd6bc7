/** Fields of the return path. Without it, replies may return through a failed gateway. */
import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { PolicyIn } from "@/api/types";
import { parseNames } from "./group";
import classes from "./PoliciesPage.module.css";

type ReturnPath = NonNullable<PolicyIn["return_path"]>;

interface Props {
  path: ReturnPath | null;
  routers: readonly string[];
  error: string | undefined;
  onChange: (next: ReturnPath | null) => void;
}

export function ReturnPathFields({ path, routers, error, onChange }: Props) {
  const [names, setNames] = useState((path?.routers ?? []).join(", "));
  const on = path !== null;
  return (
    <div className={classes.stack}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={on}
          onChange={() => onChange(on ? null : { routers: parseNames(names), prefix: "", target: null })}
        />
        Route return traffic of these routers via the same gateways in the same order
      </label>
      {on && (
        <div className={classes.fields}>
          <TextInput
            size="xs"
            label="Routers"
            placeholder={routers.slice(0, 2).join(", ")}
            value={names}
            error={error}
            onChange={(event) => {
              setNames(event.currentTarget.value);
              onChange({ ...path, routers: parseNames(event.currentTarget.value) });
            }}
          />
          <TextInput
            size="xs"
            label="Network of the nodes"
            placeholder="10.1.0.0/24"
            value={path.prefix}
            onChange={(event) => onChange({ ...path, prefix: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label="Target in this network"
            placeholder="10.1.0.1"
            value={path.target ?? ""}
            onChange={(event) =>
              onChange({
                ...path,
                target: event.currentTarget.value.trim() === "" ? null : event.currentTarget.value.trim(),
              })
            }
          />
        </div>
      )}
      {!on && (
        <p className="dim">
          Without it the routers keep their current return path, which may use a failed gateway; the plan
          checks for that.
        </p>
      )}
    </div>
  );
}
