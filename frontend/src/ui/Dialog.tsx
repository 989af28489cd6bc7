/** A window over the page, by the browser's own dialog: it traps the focus, closes by Escape, and needs no script of ours for either. */
import { useEffect, useRef, type ReactNode } from "react";
import classes from "@/ui/Dialog.module.css";

interface Props {
  open: boolean;
  onClose: () => void;
  label: string;
  /** At the left edge over the whole height, instead of at the top. */
  side?: boolean;
  children: ReactNode;
}

export function Dialog({ open, onClose, label, side = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  useEffect(() => {
    // The backdrop is the dialog itself to the browser: a press on it that hits no content closes.
    const element = dialog.current;
    const onPress = (event: MouseEvent) => event.target === element && element?.close();
    element?.addEventListener("mousedown", onPress);
    return () => element?.removeEventListener("mousedown", onPress);
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${classes.dialog} ${side ? classes.side : classes.top}`}
      aria-label={label}
      onClose={onClose}
    >
      {open && children}
    </dialog>
  );
}
