/** Gives incidents an owner: oneself, somebody of the site, or nobody. */
import { Button, Popover } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { usePeople } from "@/api/useNames";
import classes from "./IncidentPage.module.css";
import { PersonInput } from "@/ui/NamePicker";

interface Props {
  site: string;
  me: string;
  /** Null: nobody; empty: several incidents have various owners. */
  owner: string | null;
  /** `Assign`, `Assign all`. */
  label: string;
  isBusy: boolean;
  /** Null: nobody. */
  onAssign: (owner: string | null) => void;
}

export function AssignmentPicker({ site, me, owner, label, isBusy, onAssign }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const people = usePeople(site);
  const assign = (person: string | null) => {
    setOpen(false);
    setName("");
    onAssign(person);
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (name.trim() !== "") assign(name.trim());
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      withinPortal={false}
      position="bottom-start"
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button size="xs" variant="default" loading={isBusy} onClick={() => setOpen(!isOpen)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={classes.owner} onSubmit={submit} aria-label="Assign an owner">
          <PersonInput {...people} label="User name" data-autofocus value={name} onChange={setName} />
          <div className={classes.buttons}>
            <Button size="xs" type="submit" disabled={name.trim() === ""}>
              Assign
            </Button>
            {owner !== me && (
              <Button size="xs" variant="default" onClick={() => assign(me)}>
                Assign to me
              </Button>
            )}
            {owner !== null && (
              <Button size="xs" variant="default" onClick={() => assign(null)}>
                Remove owner
              </Button>
            )}
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
