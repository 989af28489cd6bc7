/** Gateways in order of preference, moved by dragging, buttons or arrow keys; moves are announced to screen readers. */
import { useState, type KeyboardEvent } from "react";
import { moveItem } from "./draft";
import classes from "./PoliciesPage.module.css";
import { Icon } from "@/ui/Icon";
import { NamePicker } from "@/ui/NamePicker";

interface Props {
  chosen: readonly string[];
  /** Candidates for what is typed. */
  names: readonly string[];
  onSearch: (text: string) => void;
  onChange: (next: string[]) => void;
  /** A stripe has no order. */
  ordered: boolean;
}

export function OrderedGateways({ chosen, names, onSearch, onChange, ordered }: Props) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const move = (from: number, to: number) => {
    const next = moveItem(chosen, from, to);
    onChange(next);
    setAnnouncement(`${chosen[from] ?? ""} is now ${next.indexOf(chosen[from] ?? "") + 1} of ${next.length}`);
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    move(index, index + step);
  };
  return (
    <div className={classes.stack}>
      <ol className={classes.order} aria-label="Gateways in order of preference">
        {chosen.map((name, index) => (
          // The buttons do the same for keyboards and screen readers.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={name}
            className={classes.item}
            data-gateway={name}
            data-dragged={dragged === index}
            draggable={ordered}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== index) move(dragged, index);
              setDragged(null);
            }}
          >
            {ordered && <span className={classes.place}>{index + 1}</span>}
            <b>{name}</b>
            {ordered && (
              <>
                <button
                  type="button"
                  className={classes.small}
                  aria-label={`Move ${name} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                  onKeyDown={(event) => onKey(event, index)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className={classes.small}
                  aria-label={`Move ${name} down`}
                  disabled={index === chosen.length - 1}
                  onClick={() => move(index, index + 1)}
                  onKeyDown={(event) => onKey(event, index)}
                >
                  ↓
                </button>
              </>
            )}
            <button
              type="button"
              className={classes.small}
              aria-label={`Remove ${name}`}
              onClick={() => onChange(chosen.filter((one) => one !== name))}
            >
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ol>
      <NamePicker
        key={chosen.length}
        label={chosen.length === 0 ? "First gateway" : "Add a gateway"}
        placeholder="Type a name"
        value=""
        names={names.filter((name) => !chosen.includes(name))}
        onSearch={onSearch}
        onPick={(name) => name !== "" && onChange([...chosen, name])}
      />
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}
