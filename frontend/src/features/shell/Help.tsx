/** Help of every page: what it shows, its documentation, and the list of shortcuts that `?` opens. */
import { Modal, Popover } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import { isHere, PAGES } from "./pages";
import classes from "./Help.module.css";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";

interface PopoverProps {
  buttonClass: string | undefined;
  onShortcuts: () => void;
}

export function HelpPopover({ buttonClass, onShortcuts }: PopoverProps) {
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const page = PAGES.find((entry) => isHere(entry, pathname));
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={300}
      withinPortal={false}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={buttonClass}
          aria-label="Help"
          title="Help"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="help" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover}>
        {page !== undefined && (
          <>
            <h2>{page.name}</h2>
            <p>{page.about}</p>
            <p>
              <Anchor href={`/help/${page.docs}`} onClick={() => setOpen(false)}>
                Documentation of this page
              </Anchor>
            </p>
          </>
        )}
        <p>
          <Anchor href="/?tour=1" onClick={() => setOpen(false)}>
            Tour of the pages
          </Anchor>
        </p>
        <p>
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              setOpen(false);
              onShortcuts();
            }}
          >
            Keyboard shortcuts
          </button>{" "}
          <kbd>?</kbd>
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Keys that work on every page; those of the pages follow from their list. */
const GENERAL: readonly (readonly [keys: string, text: string])[] = [
  ["Ctrl K", "Search"],
  ["/", "Search"],
  ["?", "This list"],
  ["Esc", "Close, or the range before the last zoom"],
  ["↑ ↓", "Between the rows of a table"],
];

export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      size="lg"
      lockScroll={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <dl className={classes.keys}>
        {[...GENERAL, ...PAGES.map(({ name, key }) => [`g ${key}`, name] as const)].map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
