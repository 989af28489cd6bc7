import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { handlers } from "@/mocks/handlers";
import { push, pushDevice } from "@/mocks/models/push";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { PushPage } from "./PushPage";

const ENDPOINT = "https://push.example.org/send/abc";
const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});
afterAll(() => server.close());

/** jsdom has no push: a browser whose person answers the question of permission like this. */
let requestPermission = vi.fn<() => Promise<string>>();
let subscribe = vi.fn<(options: unknown) => Promise<unknown>>();
beforeEach(() => {
  const subscription = {
    endpoint: ENDPOINT,
    getKey: (name: string) => new TextEncoder().encode(name).buffer,
    unsubscribe: () => Promise.resolve(true),
  };
  requestPermission = vi.fn<() => Promise<string>>().mockResolvedValue("granted");
  subscribe = vi.fn<(options: unknown) => Promise<unknown>>().mockResolvedValue(subscription);
  const registration = { pushManager: { subscribe, getSubscription: () => Promise.resolve(null) } };
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PushManager", { name: "PushManager" });
  vi.stubGlobal("Notification", { requestPermission });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: {
      register: () => Promise.resolve(registration),
      ready: Promise.resolve(registration),
      getRegistration: () => Promise.resolve(registration),
    },
  });
});

function open() {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <PushPage />
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("asks for permission only when the button is pressed, then stores the subscription", async () => {
  let body: unknown;
  server.use(
    http.post("*/api/v1/push-devices", async ({ request }) => {
      body = await request.json();
      return HttpResponse.json(pushDevice({ id: 6 }), { status: 201 });
    }),
  );
  open();
  const button = await screen.findByRole("button", { name: "Turn on push" });
  expect(requestPermission).not.toHaveBeenCalled();
  fireEvent.click(button);
  await vi.waitFor(() => expect(body).toBeDefined());
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "BOwn" });
  expect(body).toMatchObject({ site: "argonne", endpoint: ENDPOINT, p256dh: "cDI1NmRo", auth: "YXV0aA" });
});

it("says that the push service is out of reach", async () => {
  subscribe.mockRejectedValue(new Error("Registration failed - push service error"));
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Turn on push" }));
  expect(
    await screen.findByText(/got no subscription from its push service.*push service error/),
  ).toBeDefined();
});

it("says that the browser forbids notifications", async () => {
  requestPermission.mockResolvedValue("denied");
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Turn on push" }));
  expect(await screen.findByText(/does not allow notifications of this site/)).toBeDefined();
  expect(subscribe).not.toHaveBeenCalled();
});

it("offers nothing where the site does not allow push", async () => {
  server.use(http.get("*/api/v1/push", () => HttpResponse.json(push({ is_allowed: false, public_key: "" }))));
  open();
  expect((await screen.findByTestId("push-unavailable")).textContent).toContain(
    "argonne does not allow push",
  );
  expect(screen.queryByRole("button", { name: "Turn on push" })).toBeNull();
});

it("warns that no route uses the push channel", async () => {
  server.use(http.get("*/api/v1/push", () => HttpResponse.json(push({ is_routed: false }))));
  open();
  expect(await screen.findByText(/No notification route of argonne uses its push channel/)).toBeDefined();
});

it("lists devices with their failure, and removes one after a question", async () => {
  const gone: string[] = [];
  const failing = pushDevice({ failing_since: new Date().toISOString(), failure: "No complete reply" });
  server.use(
    http.get("*/api/v1/push-devices", () => HttpResponse.json({ items: [failing], next: null })),
    http.delete("*/api/v1/push-devices/:id", ({ params }) => {
      gone.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open();
  const list = await screen.findByRole("list", { name: "Your devices" });
  expect(list.textContent).toContain("failing: No complete reply");
  fireEvent.click(within(list).getByRole("button", { name: "Remove Firefox on Android" }));
  fireEvent.click(await screen.findByRole("button", { name: "Turn off" }));
  await vi.waitFor(() => expect(gone).toEqual(["5"]));
});
