/** Web push: whether the site allows it, one's own devices, and this browser's subscription. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { browserName } from "@/util/browserName";

export type PushDevice = components["schemas"]["PushDeviceOut"];
export type Push = components["schemas"]["PushOut"];

const WORKER = "/push-worker.js";
const LOOK_MS = 15_000;
/** A push service that cannot be reached answers neither yes nor no in some browsers. */
const SUBSCRIBE_MS = 30_000;

export const pushQuery = (site: string) =>
  queryOptions({
    queryKey: ["push", site],
    queryFn: () => unwrap(client.GET("/api/v1/push", { params: { query: { site } } })),
  });

export const pushDevicesQuery = (site: string) =>
  queryOptions({
    queryKey: ["push-devices", site],
    queryFn: () => unwrap(client.GET("/api/v1/push-devices", { params: { query: { site } } })),
    select: ({ items }) => items,
    refetchInterval: LOOK_MS,
  });

export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function subscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** SHA-256 of the endpoint, hex: `digest` of this browser's device. */
async function digestOf(endpoint: string): Promise<string> {
  const octets = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(octets), (octet) => octet.toString(16).padStart(2, "0")).join("");
}

/** The digest of this browser's subscription; null: it has none. */
export const ownDigestQuery = queryOptions({
  queryKey: ["push-devices", "own"],
  queryFn: async () => {
    const own = await subscription();
    return own === null ? null : digestOf(own.endpoint);
  },
});

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const limit = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s.`)), ms),
  );
  return Promise.race([promise, limit]);
}

const base64url = (buffer: ArrayBuffer | null): string =>
  btoa(String.fromCodePoint(...new Uint8Array(buffer ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

async function subscribed(publicKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("This browser does not allow notifications of this site: allow them in its settings.");
  await navigator.serviceWorker.register(WORKER, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await within(pushManager.subscribe(options), SUBSCRIBE_MS);
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    throw new Error(
      `The browser got no subscription from its push service, which it reaches over the internet: ${reason}`,
      { cause: problem },
    );
  }
}

function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ["push-devices"] });
}

/** Asks for permission, subscribes this browser, and stores the device. */
export function useEnablePush() {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: async ({ site, public_key }: Push) => {
      const own = await subscribed(public_key);
      const body = {
        site,
        label: browserName(navigator.userAgent),
        endpoint: own.endpoint,
        p256dh: base64url(own.getKey("p256dh")),
        auth: base64url(own.getKey("auth")),
      };
      return unwrap(client.POST("/api/v1/push-devices", { body }));
    },
    onSettled: refresh,
  });
}

/** Deletes a device; the subscription of this browser ends with its own. */
export function useRemovePushDevice() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, digest }: PushDevice) => {
      await unwrap(client.DELETE("/api/v1/push-devices/{id}", { params: { path: { id } } }));
      const own = await subscription();
      if (own !== null && (await digestOf(own.endpoint)) === digest) await own.unsubscribe();
    },
    onSettled: refresh,
  });
}
