const VISIBLE_MS = 8000;

/** Shows the result of an action; errors interrupt screen readers, successes do not. */
export function notify(tone: "good" | "bad", message: string): void {
  // The shell loads it soon after its first page, so that it is there if the server is not.
  import("@mantine/notifications").then(
    ({ notifications }) =>
      notifications.show({
        message,
        color: tone === "good" ? "teal" : "red",
        role: tone === "good" ? "status" : "alert",
        autoClose: VISIBLE_MS,
        closeButtonProps: { "aria-label": "Dismiss" },
      }),
    // It has not been loaded and the server is away: the browser's own dialog needs nothing from it.
    () => window.alert(message),
  );
}
