/** Parameters of the planner: fields of the form, and the URL that holds them. Pure. */
import type { HippiModel, HippiModelQuery } from "@/api/models/hold-time";

type Parameters = HippiModel["parameters"];

export interface NumberField {
  readonly name: Exclude<keyof HippiModelQuery, "gateway" | "whole_bursts">;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Value in force, if the field is empty; null: not measured. */
  readonly inForce: (parameters: Parameters) => number | null;
}

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly NumberField[];
}

export const GROUPS: readonly FieldGroup[] = [
  {
    title: "Packets and gateway",
    fields: [
      { name: "rate_pps", label: "Packets per second", min: 1e-6, max: 1e6, inForce: (p) => p.rate_pps },
      {
        name: "packet_bytes",
        label: "Packet size (bytes)",
        min: 64,
        max: 2 ** 24,
        inForce: (p) => p.packet_bytes,
      },
      {
        name: "blocking_ms",
        label: "Blocking factor (ms)",
        min: 0.001,
        max: 60_000,
        inForce: (p) => p.blocking_ms,
      },
      {
        name: "hold_ms",
        label: "Hold time h (ms), 0: unlimited",
        min: 0,
        max: 60_000,
        inForce: (p) => p.hold_ms,
      },
      {
        name: "buffer_kib",
        label: "Burst buffer (KiB)",
        min: 64,
        max: 2 ** 20,
        inForce: (p) => p.buffer_kib,
      },
      {
        name: "base_rtt_ms",
        label: "Unblocked round trip (ms)",
        min: 0,
        max: 10_000,
        inForce: (p) => p.base_rtt_ms,
      },
    ],
  },
  {
    title: "TCP",
    fields: [
      { name: "window_kib", label: "Window (KiB)", min: 64, max: 2 ** 20, inForce: (p) => p.window_kib },
      {
        name: "segments_per_ack",
        label: "Segments per ACK",
        min: 1,
        max: 16,
        inForce: (p) => p.segments_per_ack,
      },
      {
        name: "unblocked_mbps",
        label: "Unblocked rate (Mb/s)",
        min: 1e-6,
        max: 1e5,
        inForce: (p) => p.unblocked_mbps,
      },
      { name: "duty", label: "Duty (share of busy tries)", min: 1e-6, max: 1, inForce: (p) => p.duty },
    ],
  },
  {
    title: "Traffic classes",
    fields: [
      {
        name: "loss_limit",
        label: "Tolerated loss (share)",
        min: 1e-9,
        max: 0.999_999,
        inForce: (p) => p.loss_limit,
      },
      {
        name: "timeout_ms",
        label: "Request timeout (ms)",
        min: 0.001,
        max: 600_000,
        inForce: (p) => p.timeout_ms,
      },
      {
        name: "deadline_ms",
        label: "Datagram deadline (ms)",
        min: 0.001,
        max: 600_000,
        inForce: (p) => p.deadline_ms,
      },
    ],
  },
  {
    title: "InfiniBand",
    fields: [{ name: "tick_ns", label: "Tick of XmitWait (ns)", min: 0.001, max: 1e9, inForce: () => null }],
  },
];

export const FIELDS: readonly NumberField[] = GROUPS.flatMap(({ fields }) => fields);
const WHOLE: ReadonlySet<string> = new Set(["packet_bytes", "buffer_kib", "window_kib", "segments_per_ack"]);

export const isWhole = (field: NumberField): boolean => WHOLE.has(field.name);

/** Values of the form as text; empty: the default or the measured value. */
export type PlannerForm = Record<NumberField["name"], string> & { gateway: string; whole_bursts: boolean };

export function formOf(params: URLSearchParams): PlannerForm {
  const numbers = Object.fromEntries(FIELDS.map(({ name }) => [name, params.get(name) ?? ""]));
  return {
    ...(numbers as Record<NumberField["name"], string>),
    gateway: params.get("gateway") ?? "",
    whole_bursts: params.get("whole_bursts") === "true",
  };
}

/** The URL with these values; other parameters, such as the site, stay. */
export function withForm(old: URLSearchParams, values: PlannerForm): URLSearchParams {
  const fresh = new URLSearchParams(old);
  const put = (name: string, value: string) => (value === "" ? fresh.delete(name) : fresh.set(name, value));
  for (const { name } of FIELDS) put(name, values[name].trim());
  put("gateway", values.gateway);
  put("whole_bursts", values.whole_bursts ? "true" : "");
  return fresh;
}

/** The request; text that is no number is left out, as if it were empty. */
export function queryOf(values: PlannerForm): HippiModelQuery {
  const numbers = FIELDS.flatMap(({ name }) => {
    const value = Number(values[name]);
    return values[name].trim() === "" || !Number.isFinite(value) ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(numbers),
    ...(values.gateway === "" ? {} : { gateway: values.gateway }),
    ...(values.whole_bursts ? { whole_bursts: true } : {}),
  };
}
