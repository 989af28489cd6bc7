/** A GigaRouter's gratm.conf: the pasted file against the intended one. Backstay does not write it. */
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useHandOver } from "@/api/circuits";
import { useSubmit } from "@/api/useSubmit";
import classes from "./Circuits.module.css";
import { DiffView } from "@/ui/DiffView";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";

export function RouterConfig({ site, node }: { site: string; node: string }) {
  const form = useForm({ initialValues: { current: "" } });
  const write = useHandOver();
  const { onSubmit, busy, error } = useSubmit(form, write, ({ current }) => ({ site, node, current }));
  return (
    <Panel title={`/etc/gratm.conf of ${node}`}>
      <form className={classes.stack} onSubmit={onSubmit}>
        <p className="dim">
          Paste the router's current file. Backstay adds every PVC that ends at or passes the router and keeps
          all other lines. Install the result manually.
        </p>
        <Textarea
          size="xs"
          label="Current file"
          autosize
          minRows={3}
          maxRows={12}
          classNames={{ input: "mono" }}
          placeholder="empty if the file does not exist"
          {...form.getInputProps("current")}
        />
        <FormError>{error}</FormError>
        <Button type="submit" size="xs" loading={busy} className={classes.button}>
          Show changes
        </Button>
      </form>
      {write.data !== undefined && <ConfigDiff {...write.data} />}
    </Panel>
  );
}

function ConfigDiff({
  path,
  diff,
  after,
  commands,
  unlike,
}: NonNullable<ReturnType<typeof useHandOver>["data"]>) {
  if (diff === "") return <p>The file already contains all circuits. No change needed.</p>;
  return (
    <div className={classes.stack}>
      <ul>
        {unlike.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <DiffView path={path} diff={diff} />
      <Textarea
        size="xs"
        label="New file"
        readOnly
        autosize
        minRows={3}
        maxRows={16}
        value={after}
        classNames={{ input: "mono" }}
      />
      {commands.length > 0 && (
        <p>
          Then run on the router: <span className="mono">{commands.join("; ")}</span>. The card is down while
          it reads the file.
        </p>
      )}
    </div>
  );
}
