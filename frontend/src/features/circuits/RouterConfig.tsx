/** A GigaRouter's gratm.conf with its circuits: pasted as it is, shown as it must be. Nothing is changed from here. */
import { Button, Textarea } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useHandOver } from "@/api/circuits";
import classes from "./Circuits.module.css";
import { DiffView } from "@/ui/DiffView";
import { Panel } from "@/ui/Panel";

export function RouterConfig({ site, node }: { site: string; node: string }) {
  const [current, setCurrent] = useState("");
  const write = useHandOver();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate({ site, node, current });
  };
  return (
    <Panel title={`/etc/gratm.conf of ${node}`}>
      <form className={classes.stack} onSubmit={submit}>
        <p className="dim">
          Paste the file as it is on the router: every PVC that ends or passes there is put into it, all other
          lines stay. Somebody puts it there by hand.
        </p>
        <Textarea
          size="xs"
          label="The file now"
          autosize
          minRows={3}
          maxRows={12}
          value={current}
          classNames={{ input: "mono" }}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          placeholder="empty: there is none yet"
        />
        {write.error !== null && (
          <p className={classes.why} role="alert">
            {write.error.message}
          </p>
        )}
        <Button type="submit" size="xs" loading={write.isPending} className={classes.button}>
          Show what must differ
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
  if (diff === "") return <p>The file has all of them already: nothing is to be done.</p>;
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
        label="The whole file"
        readOnly
        autosize
        minRows={3}
        maxRows={16}
        value={after}
        classNames={{ input: "mono" }}
      />
      {commands.length > 0 && (
        <p>
          Then, on the router: <span className="mono">{commands.join("; ")}</span>. It takes the card down
          while it reads the file.
        </p>
      )}
    </div>
  );
}
