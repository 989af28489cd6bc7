/** Dialog that asks before an irreversible action. */
import { Button, type MantineSize } from "@mantine/core";
import { modals, ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";

interface Confirmation {
  /** A question that names the object. */
  title: string;
  /** What is lost, what stays, and how to undo it. */
  consequence: string;
  /** Label of the button that executes. */
  action: string;
  onConfirm: () => void;
}

export function confirm({ title, consequence, action, onConfirm }: Confirmation): void {
  modals.openConfirmModal({
    title,
    children: consequence,
    labels: { confirm: action, cancel: "Cancel" },
    cancelProps: { "data-autofocus": true },
    onConfirm,
  });
}

/** A button that asks before it acts. */
export function ConfirmButton({
  size = "xs",
  isBusy,
  children,
  ...confirmation
}: Confirmation & { size?: MantineSize | `compact-${MantineSize}`; isBusy: boolean; children: ReactNode }) {
  return (
    <Button size={size} variant="default" loading={isBusy} onClick={() => confirm(confirmation)}>
      {children}
    </Button>
  );
}

/** Where the dialog appears; rendered once. Locking the scroll needs a style element, which the content security policy refuses. */
export function ConfirmDialog() {
  return (
    <ModalsProvider
      modalProps={{
        centered: true,
        styles: { title: { fontWeight: 600 } },
        lockScroll: false,
        withCloseButton: false,
        transitionProps: { duration: 0 },
      }}
    />
  );
}
