/** Labels, tones and headlines of channels, routes, schedules and deliveries. */
import type {
  Channel,
  ChannelTest,
  Delivery,
  NotificationRoute,
  Schedule,
} from "@/api/notifications/queries";
import type { StateName } from "@/ui/StateBadge";
import { count, milliseconds, partOf } from "@/util/units";

export const CHANNEL_TONES: Record<Channel["state"], StateName> = {
  ok: "ok",
  failing: "critical",
  untried: "unknown",
  disabled: "disabled",
};

/** The state in a sentence, with the reason of a failure. */
export function channelText({ state, failure }: Pick<Channel, "state" | "failure">): string {
  switch (state) {
    case "ok":
      return "The newest delivery succeeded.";
    case "failing":
      return failure === "" ? "The newest delivery failed." : failure;
    case "untried":
      return "Nothing was delivered since its last change. Send a test.";
    case "disabled":
      return "Nothing is sent until it is enabled.";
  }
}

export function channelsHeadline(channels: readonly Channel[]): string {
  const failing = channels.filter(({ state }) => state === "failing").map(({ name }) => name);
  const untried = channels.filter(({ state }) => state === "untried").length;
  const enabled = channels.filter(({ enabled: isEnabled }) => isEnabled).length;
  if (channels.length === 0) return "No channel: nobody is notified of incidents.";
  if (enabled === 0) return "All channels are disabled: nobody is notified of incidents.";
  if (failing.length > 0) return `${failing.join(", ")} cannot deliver.`;
  if (untried > 0) return `${partOf(untried, channels.length, "channel")} not tried since the last change.`;
  return `${count(enabled, "enabled channel")}, no failures.`;
}

export function routesHeadline(routes: readonly NotificationRoute[]): string {
  const enabled = routes.filter((route) => route.enabled);
  if (enabled.length === 0) return "No enabled route: nobody is notified of incidents.";
  return `${count(enabled.length, "enabled route")}, tried in this order. An incident takes the first that matches.`;
}

export function schedulesHeadline(schedules: readonly Schedule[]): string {
  const idle = schedules.filter(({ on_call }) => on_call === null).map(({ name }) => name);
  const unreachable = [...new Set(schedules.flatMap(({ without_channel }) => without_channel))];
  const parts = [
    idle.length === 0 ? "" : `Nobody is on call in ${idle.join(", ")}.`,
    unreachable.length === 0 ? "" : `Without a channel: ${unreachable.join(", ")}.`,
  ].filter(Boolean);
  if (parts.length > 0) return parts.join(" ");
  return schedules.length === 0 ? "No schedules." : "Somebody is on call in every schedule.";
}

export const DELIVERY_TONES: Record<Delivery["status"], StateName> = {
  queued: "unknown",
  sending: "unknown",
  sent: "ok",
  failed: "critical",
};

/** Colour of a delivery: one that is tried again is a warning. */
export const deliveryTone = ({ status, failure }: Pick<Delivery, "status" | "failure">): StateName =>
  status === "queued" && failure !== "" ? "warning" : DELIVERY_TONES[status];

export const deliveryLabel = ({ status, failure }: Pick<Delivery, "status" | "failure">): string =>
  status === "queued" && failure !== "" ? "to be retried" : status;

export const REASON_LABELS: Record<Delivery["reason"], string> = {
  opened: "opened",
  worse: "worse",
  reminder: "reminder",
  escalated: "escalated",
  resolved: "resolved",
  test: "test",
};

export function deliveriesHeadline(deliveries: readonly Delivery[]): string {
  const failed = deliveries.filter(({ status }) => status === "failed").length;
  const pending = deliveries.filter(({ status }) => status === "queued" || status === "sending").length;
  const sent = deliveries.length - failed - pending;
  return `${count(deliveries.length, "delivery", "deliveries")}: ${sent} sent, ${failed} failed, ${pending} pending.`;
}

export const testText = ({ delivered, reason, took_ms }: ChannelTest): string =>
  delivered
    ? `Delivered in ${milliseconds(took_ms)}.`
    : `Not delivered after ${milliseconds(took_ms)}: ${reason}`;
