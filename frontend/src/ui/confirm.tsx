/** Dialog that asks before an irreversible action. */
import { modals, ModalsProvider } from "@mantine/modals";

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
