/** Fields of the return path. Without it, replies may return through a failed gateway. */
import { Checkbox, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { PolicyIn } from "@/api/types";
import { parseNames } from "./group";
import classes from "./PoliciesPage.module.css";
import { OPTIONAL_TEXT, ParsedInput } from "./ParsedInput";

interface Props {
  form: UseFormReturnType<PolicyIn>;
  routers: readonly string[];
}

export function ReturnPathFields({ form, routers }: Props) {
  const isOn = form.values.return_path != null;
  return (
    <div className={classes.stack}>
      <Checkbox
        label="Route return traffic of these routers via the same gateways in the same order"
        checked={isOn}
        onChange={() =>
          form.setFieldValue("return_path", isOn ? null : { routers: [], prefix: "", target: null })
        }
      />
      {isOn ? (
        <div className={classes.fields}>
          <ParsedInput
            label="Routers"
            placeholder={routers.slice(0, 2).join(", ")}
            format={(names: string[]) => names.join(", ")}
            parse={parseNames}
            {...form.getInputProps("return_path.routers")}
          />
          <TextInput
            size="xs"
            label="Network of the nodes"
            placeholder="10.1.0.0/24"
            {...form.getInputProps("return_path.prefix")}
          />
          <ParsedInput
            label="Target in this network"
            placeholder="10.1.0.1"
            {...OPTIONAL_TEXT}
            {...form.getInputProps("return_path.target")}
          />
        </div>
      ) : (
        <p className="dim">
          Without it the routers keep their current return path, which may use a failed gateway; the plan
          checks for that.
        </p>
      )}
    </div>
  );
}
