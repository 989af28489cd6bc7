/** Fields of the failure detection: method, timers and end-to-end target. */
import { NativeSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { PolicyIn } from "@/api/types";
import { DEFAULT_TIMERS, DETECTIONS, describeTimers, timersFor } from "./draft";
import classes from "./PoliciesPage.module.css";
import { NUMBER, OPTIONAL_TEXT, ParsedInput } from "./ParsedInput";

interface Props {
  form: UseFormReturnType<PolicyIn>;
}

export function DetectionFields({ form }: Props) {
  const { detection, timers = DEFAULT_TIMERS } = form.values;
  return (
    <div className={classes.stack}>
      <DetectionTable form={form} />
      <Timers form={form} />
      <ParsedInput
        label="End-to-end target"
        placeholder="10.9.0.1"
        description="Probed through every gateway. Required to detect a gateway that is reachable but not forwarding."
        {...OPTIONAL_TEXT}
        {...form.getInputProps("target")}
      />
      <p className={classes.detects} data-testid="timers-summary">
        {describeTimers(timers, detection)}
      </p>
    </div>
  );
}

function DetectionTable({ form }: Props) {
  const { detection, timers = DEFAULT_TIMERS } = form.values;
  return (
    <div className={classes.scroll} role="region" aria-label="Detection methods" tabIndex={0}>
      <table aria-label="Detection methods">
        <thead>
          <tr>
            <th scope="col">method</th>
            <th scope="col">carrier lost</th>
            <th scope="col">unreachable</th>
            <th scope="col">reachable, not forwarding</th>
            <th scope="col">requires</th>
          </tr>
        </thead>
        <tbody>
          {DETECTIONS.map(({ value, label, carrier_lost, unreachable, not_forwarding, requires }) => (
            <tr key={value}>
              <th scope="row">
                <label>
                  <input
                    type="radio"
                    name="detection"
                    value={value}
                    checked={detection === value}
                    onChange={() => form.setValues({ detection: value, timers: timersFor(value, timers) })}
                  />
                  {label}
                </label>
              </th>
              <td>{carrier_lost}</td>
              <td>{unreachable}</td>
              <td>{not_forwarding}</td>
              <td>{requires}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TIMER_FIELDS: readonly {
  readonly key: "interval_ms" | "fail_after" | "recover_after" | "hold_down_s";
  readonly label: string;
  readonly least: number;
  readonly most: number;
}[] = [
  { key: "interval_ms", label: "Probe interval (ms)", least: 10, most: 60_000 },
  { key: "fail_after", label: "Failures before down", least: 1, most: 100 },
  { key: "recover_after", label: "Successes before up", least: 1, most: 10_000 },
  { key: "hold_down_s", label: "Hold-down (s)", least: 0, most: 3600 },
];

const REVERTS = [
  { value: "now", label: "immediately" },
  { value: "after", label: "after a stable period" },
  { value: "manual", label: "manually" },
];

/** Timers of a protocol listener; the protocol decides the others. */
const ANNOUNCEMENT_LABELS: Partial<Record<(typeof TIMER_FIELDS)[number]["key"], string>> = {
  interval_ms: "Announcement interval (ms)",
  fail_after: "Missed announcements before down",
};

function Timers({ form }: Props) {
  const { detection, timers = DEFAULT_TIMERS } = form.values;
  const isListener = detection === "protocol";
  return (
    <div className={classes.fields}>
      {TIMER_FIELDS.filter(({ key }) => !isListener || key in ANNOUNCEMENT_LABELS).map(
        ({ key, label, least, most }) => (
          <ParsedInput
            key={key}
            label={(isListener ? ANNOUNCEMENT_LABELS[key] : undefined) ?? label}
            min={least}
            max={most}
            {...NUMBER}
            {...form.getInputProps(`timers.${key}`)}
          />
        ),
      )}
      {!isListener && (
        <NativeSelect size="xs" label="Failback" data={REVERTS} {...form.getInputProps("timers.revert")} />
      )}
      {!isListener && timers.revert === "after" && (
        <ParsedInput
          label="Stable period (s)"
          min={0}
          max={86_400}
          {...NUMBER}
          {...form.getInputProps("timers.revert_after_s")}
        />
      )}
    </div>
  );
}
