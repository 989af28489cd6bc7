/** Who notices a dead gateway, what that sees and what it does not, and the timers with what they mean. */
import { NativeSelect, TextInput } from "@mantine/core";
import type { PolicyTimers } from "@/api/types";
import { DETECTIONS, describeTimers, type Detection } from "./draft";
import classes from "./PoliciesPage.module.css";

interface Props {
  detection: Detection;
  timers: PolicyTimers;
  target: string;
  onDetection: (next: Detection) => void;
  onTimers: (next: PolicyTimers) => void;
  onTarget: (next: string) => void;
}

export function DetectionFields(props: Props) {
  const { detection, timers, target, onTarget } = props;
  return (
    <div className={classes.stack}>
      <DetectionTable {...props} />
      <Timers {...props} />
      <TextInput
        size="xs"
        label="End-to-end target"
        placeholder="10.9.0.1"
        description="Probed through each gateway: only with it is a gateway noticed that answers but forwards nothing."
        value={target}
        onChange={(event) => onTarget(event.currentTarget.value)}
      />
      <p className={classes.detects} data-testid="timers-words">
        {describeTimers(timers, detection)}
      </p>
    </div>
  );
}

function DetectionTable({ detection, onDetection }: Props) {
  return (
    <div className={classes.ways} role="region" aria-label="Ways to notice a dead gateway" tabIndex={0}>
      <table aria-label="Ways to notice a dead gateway">
        <thead>
          <tr>
            <th scope="col">noticed by</th>
            <th scope="col">carrier lost</th>
            <th scope="col">silent</th>
            <th scope="col">answers, forwards nothing</th>
            <th scope="col">needs</th>
          </tr>
        </thead>
        <tbody>
          {DETECTIONS.map(({ value, name, needs, carrier, silent, drops }) => (
            <tr key={value}>
              <th scope="row">
                <label>
                  <input
                    type="radio"
                    name="detection"
                    value={value}
                    checked={detection === value}
                    onChange={() => onDetection(value)}
                  />
                  {name}
                </label>
              </th>
              <td>{carrier}</td>
              <td>{silent}</td>
              <td>{drops}</td>
              <td>{needs}</td>
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
  { key: "interval_ms", label: "Probe every (ms)", least: 10, most: 60_000 },
  { key: "fail_after", label: "Dead after lost probes", least: 1, most: 100 },
  { key: "recover_after", label: "Alive after answers", least: 1, most: 10_000 },
  { key: "hold_down_s", label: "Hold down (s)", least: 0, most: 3600 },
];

const REVERTS = [
  { value: "now", label: "at once" },
  { value: "after", label: "after a time without failure" },
  { value: "manual", label: "by hand only" },
];

/** What a protocol's listener is told; the rest is the protocol's. */
const ANNOUNCEMENT_LABELS: Partial<Record<(typeof TIMER_FIELDS)[number]["key"], string>> = {
  interval_ms: "Gateways announce every (ms)",
  fail_after: "Dead after missed announcements",
};

function Timers({ detection, timers, onTimers }: Props) {
  const isAnnounced = detection === "protocol";
  return (
    <div className={classes.fields}>
      {TIMER_FIELDS.filter(({ key }) => !isAnnounced || key in ANNOUNCEMENT_LABELS).map(
        ({ key, label, least, most }) => (
          <TextInput
            key={key}
            size="xs"
            type="number"
            label={(isAnnounced ? ANNOUNCEMENT_LABELS[key] : undefined) ?? label}
            min={least}
            max={most}
            value={timers[key]}
            onChange={(event) => onTimers({ ...timers, [key]: Number(event.currentTarget.value) })}
          />
        ),
      )}
      {!isAnnounced && (
        <NativeSelect
          size="xs"
          label="Back to a better one"
          value={timers.revert}
          data={REVERTS}
          onChange={(event) =>
            onTimers({ ...timers, revert: event.currentTarget.value as PolicyTimers["revert"] })
          }
        />
      )}
      {!isAnnounced && timers.revert === "after" && (
        <TextInput
          size="xs"
          type="number"
          label="Time without failure (s)"
          min={0}
          max={86_400}
          value={timers.revert_after_s}
          onChange={(event) => onTimers({ ...timers, revert_after_s: Number(event.currentTarget.value) })}
        />
      )}
    </div>
  );
}
