/** The way back as part of the same policy: without it answers return by a gateway that may be dead. */
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
        These routers reach the nodes by the same gateways in the same order
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
            label="The nodes' network"
            placeholder="10.1.0.0/24"
            value={path.prefix}
            onChange={(event) => onChange({ ...path, prefix: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label="Target inside of it"
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
          Without it the routers keep the way back that they have, which may lead through a dead gateway; the
          plan checks for that.
        </p>
      )}
    </div>
  );
}
