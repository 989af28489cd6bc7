import { notifications } from "@mantine/notifications";

const VISIBLE_MS = 8000;

/** Shows the result of an action; errors interrupt screen readers, successes do not. */
export function notify(tone: "good" | "bad", message: string): void {
  notifications.show({
    message,
    color: tone === "good" ? "teal" : "red",
    role: tone === "good" ? "status" : "alert",
    autoClose: VISIBLE_MS,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
