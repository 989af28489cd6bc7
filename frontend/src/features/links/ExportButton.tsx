/** Button and dialog that export the history of links as a file. */
import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "@/api/client";
import { useRange, useSite } from "@/api/scope";
import type { ExportIn } from "@/api/storage";
import { useSubmit } from "@/api/useSubmit";
import { exportBody, FORMATS, LEVELS, type ExportForm, type Selection } from "./exports";
import classes from "./LinkPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { FormError } from "@/ui/FormError";
import { Icon } from "@/ui/Icon";

export function ExportButton({ selection }: { selection: Selection }) {
  const [isOpen, setIsOpen] = useState(false);
  const site = useSite()?.name;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        disabled={site === undefined}
        onClick={() => setIsOpen(true)}
      >
        Export
      </Button>
      {/* Without scroll lock, whose style element the content security policy rejects. */}
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Export history"
        centered
        lockScroll={false}
        closeButtonProps={{ "aria-label": "Close" }}
        transitionProps={{ duration: 0 }}
      >
        {site !== undefined && <Form site={site} selection={selection} onClose={() => setIsOpen(false)} />}
      </Modal>
    </>
  );
}

interface Props {
  site: string;
  selection: Selection;
  onClose: () => void;
}

function Form({ site, selection, onClose }: Props) {
  const [range] = useRange();
  const queries = useQueryClient();
  const form = useForm<ExportForm>({
    initialValues: { format: "csv", level: "auto", start: range.from, end: range.to },
  });
  const create = useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: ExportIn) => unwrap(client.POST("/api/v1/exports", { body })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["exports"] }),
  });
  const { onSubmit, busy, error } = useSubmit(form, create, (values) => exportBody(site, selection, values));
  if (create.isSuccess)
    return (
      <div className={classes.page} role="status">
        <p>The export is queued. The page “Exports” shows its progress and has the file.</p>
        <div className={classes.way}>
          <Anchor href="/exports" onClick={onClose}>
            Show exports
          </Anchor>
        </div>
      </div>
    );
  return (
    <form className={classes.page} onSubmit={onSubmit}>
      <p>
        Traffic, errors and discards of <b>{selection.text}</b>, one row for each port and interval.
      </p>
      <NativeSelect size="xs" label="Format" data={[...FORMATS]} {...form.getInputProps("format")} />
      <NativeSelect
        size="xs"
        label="Level"
        description="Automatic: a level that suits the range, and others where it is not stored"
        data={[...LEVELS]}
        {...form.getInputProps("level")}
      />
      <TextInput size="xs" label="Start" description="now-7d, or a time" {...form.getInputProps("start")} />
      <TextInput size="xs" label="End" {...form.getInputProps("end")} />
      <FormError>{error}</FormError>
      <div className={classes.way}>
        <Button type="submit" size="xs" loading={busy}>
          Start export
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
