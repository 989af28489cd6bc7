/** Dialog that asks before an irreversible action. */
import { Button, type MantineSize } from "@mantine/core";
import { modals, ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";

interface Confirmation {
  /** A question with the object's name. */
  title: string;
  /** What is lost, what stays, and how to undo it. */
  consequence: string;
  /** Label of the confirming button. */
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

/** A button that opens the dialog. */
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

/** Renders the dialogs; mounted once. Without scroll lock, whose style element the content security policy rejects. */
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
