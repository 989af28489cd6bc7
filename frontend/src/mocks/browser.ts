/** Answers every request of the development server in the browser; the scenario is read from localStorage. */
import { setupWorker } from "msw/browser";
import { handlers } from "@/mocks/handlers";
import { live } from "@/mocks/live";

export async function startMock(): Promise<void> {
  await setupWorker(...handlers, live).start({ quiet: true, onUnhandledFrame: "bypass" });
}
