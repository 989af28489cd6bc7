/** Answers every request of the development server in the browser; the scenario is read from localStorage. */
import { setupWorker } from "msw/browser";
import { handlers } from "@/mocks/handlers";

export async function startMock(): Promise<void> {
  await setupWorker(...handlers).start({ quiet: true, onUnhandledFrame: "bypass" });
}
