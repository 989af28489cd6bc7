/** Plans the inverse of a confirmed change, as a new change, and opens it. */
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useLocation, useNavigate } from "react-router";
import { useUndo } from "@/api/change-actions";
import { carry } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import classes from "./ChangePage.module.css";
import { FormError } from "@/ui/FormError";

export function UndoForm({ id }: { id: number }) {
  const form = useForm({ initialValues: { reason: "" } });
  const navigate = useNavigate();
  const { search } = useLocation();
  const undo = useUndo(id, (inverse) => void navigate(carry(`/changes/${inverse.id}`, search)));
  const { onSubmit, busy, error } = useSubmit(form, undo, (values) => values);
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className="dim">
        Plans a new change that returns the nodes that keep this change to their state before it. No node
        changes until that plan is approved and applied.
      </p>
      <div className={classes.row}>
        <TextInput size="xs" label="Reason for undo" maxLength={2000} {...form.getInputProps("reason")} />
        <Button type="submit" size="xs" variant="default" loading={busy}>
          Undo this change
        </Button>
      </div>
      <FormError>{error}</FormError>
    </form>
  );
}
