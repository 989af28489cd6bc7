/** Saved views of a list: applies, saves, replaces and deletes them. */
import { Button, Checkbox, Popover, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { confirm } from "@/ui/confirm";
import { Icon } from "@/ui/Icon";
import classes from "@/ui/table/ViewMenu.module.css";

interface View {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly is_own: boolean;
  readonly is_shared: boolean;
  readonly can_change: boolean;
  /** Filters that the page does not have. */
  readonly unknown: readonly string[];
}

/** The views of one list, and what can be done with them by their id. */
export interface Views {
  /** Undefined until they are read. */
  readonly items: readonly View[] | undefined;
  readonly error: Error | null;
  readonly canShare: boolean;
  readonly isBusy: boolean;
  readonly read: () => void;
  readonly apply: (id: number) => void;
  readonly save: (name: string, isShared: boolean, onDone: () => void) => void;
  readonly replace: (id: number) => void;
  readonly remove: (id: number) => void;
}

export function ViewMenu({ views }: { views: Views }) {
  const [open, setOpen] = useState(false);
  const toggle = (next: boolean) => {
    if (next) views.read();
    setOpen(next);
  };
  return (
    <Popover
      opened={open}
      onChange={toggle}
      position="bottom-start"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button type="button" className="chip" onClick={() => toggle(!open)}>
          Views <Icon name="down" size={12} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        <div className={classes.panel}>
          <ViewList views={views} onApplied={() => setOpen(false)} />
          <SaveForm views={views} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function ViewList({ views, onApplied }: { views: Views; onApplied: () => void }) {
  const { items, error } = views;
  if (items === undefined) return <span role="status">{error?.message ?? "Loading …"}</span>;
  if (items.length === 0) return <span className="dim">No saved views of this list yet.</span>;
  return (
    <ul className={classes.list} aria-label="Saved views">
      {items.map((view) => (
        <ViewRow key={view.id} view={view} views={views} onApplied={onApplied} />
      ))}
    </ul>
  );
}

function noteOf({ is_own, is_shared, owner, unknown }: View): string {
  if (unknown.length > 0) return `needs ${unknown.join(", ")}: not a filter of this page`;
  if (!is_shared) return "mine";
  return is_own ? "shared by you" : `shared by ${owner}`;
}

function ViewRow({ view, views, onApplied }: { view: View; views: Views; onApplied: () => void }) {
  const { name, is_shared, can_change, unknown } = view;
  const whose = is_shared ? "Everybody at the site loses it." : "Only you see it.";
  return (
    <li className={classes.view}>
      <button
        type="button"
        className={classes.name}
        disabled={unknown.length > 0}
        onClick={() => {
          views.apply(view.id);
          onApplied();
        }}
      >
        {name} <span className="dim">{noteOf(view)}</span>
      </button>
      {can_change && (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Replace ${name} by what is shown`}
            disabled={views.isBusy}
            onClick={() =>
              confirm({
                title: `Replace ${name}?`,
                consequence: "It gets the filters, sort and columns that are shown now.",
                action: "Replace",
                onConfirm: () => views.replace(view.id),
              })
            }
          >
            Replace
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Delete ${name}`}
            disabled={views.isBusy}
            onClick={() =>
              confirm({
                title: `Delete ${name}?`,
                consequence: `${whose} The list and its rows stay.`,
                action: "Delete",
                onConfirm: () => views.remove(view.id),
              })
            }
          >
            Delete
          </Button>
        </>
      )}
    </li>
  );
}

function SaveForm({ views }: { views: Views }) {
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") views.save(name.trim(), isShared, () => setName(""));
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="xs"
        label="Save filters, sort and columns as"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {views.canShare && (
        <Checkbox
          size="xs"
          label="Share with the site"
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
      <Button size="xs" type="submit" variant="default" loading={views.isBusy} disabled={name.trim() === ""}>
        Save view
      </Button>
    </form>
  );
}
