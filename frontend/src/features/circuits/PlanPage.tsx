/** The planner: how many circuits some hosts need, what one would do instead, and labels that clash with nobody's. */
import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { usePlan } from "@/api/circuits";
import { useSite } from "@/api/scope";
import { EMPTY_PLAN, planOf, type PlanForm } from "./circuits";
import classes from "./Circuits.module.css";
import { PlanResult } from "./PlanResult";
import { Anchor } from "@/ui/Anchor";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

const PATTERNS = [
  { value: "full", label: "every host with every other" },
  { value: "between", label: "every host with those of the other groups" },
  { value: "hub", label: "every host with the hub" },
];

export function PlanPage() {
  const site = useSite();
  const [form, setForm] = useState<PlanForm>(EMPTY_PLAN);
  const set = (change: Partial<PlanForm>) => setForm((old) => ({ ...old, ...change }));
  const plan = usePlan();
  const body = planOf(site?.name ?? "", form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body !== null) plan.mutate(body);
  };
  return (
    <>
      <PageHeader
        title="Plan circuits"
        headline={
          plan.data === undefined
            ? "Nothing is stored or changed: it counts, and proposes labels."
            : plan.data.advice
        }
      >
        <Anchor href="/circuits">All circuits</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Who shall reach whom">
          <form className={classes.stack} onSubmit={submit}>
            <div className={classes.fields}>
              <Textarea
                size="xs"
                label="Hosts, one group a line"
                description="nodes 98, or atm: onyx1 origin1"
                autosize
                minRows={2}
                maxRows={8}
                value={form.groups}
                classNames={{ input: "mono" }}
                onChange={(event) => set({ groups: event.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                label="Joined"
                value={form.pattern}
                data={PATTERNS}
                onChange={(event) => set({ pattern: event.currentTarget.value as PlanForm["pattern"] })}
              />
              <TextInput
                size="xs"
                label="Hub"
                description="a host, or a router beside them"
                value={form.hub}
                onChange={(event) => set({ hub: event.currentTarget.value })}
              />
              <TextInput
                size="xs"
                label="Switches in a row"
                type="number"
                min={1}
                max={64}
                value={form.switches}
                onChange={(event) => set({ switches: event.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                label="Labels of"
                value={form.kind}
                data={[
                  { value: "pvc", label: "PVCs" },
                  { value: "vlan", label: "VLANs" },
                ]}
                onChange={(event) => set({ kind: event.currentTarget.value as PlanForm["kind"] })}
              />
              <div className={classes.means}>
                <Checkbox
                  label="The switches can signal (SVC)"
                  checked={form.svc}
                  onChange={(svc) => set({ svc })}
                />
                <Checkbox
                  label="It is Ethernet with VLANs"
                  checked={form.vlan}
                  onChange={(vlan) => set({ vlan })}
                />
              </div>
            </div>
            {plan.error !== null && (
              <p className={classes.why} role="alert">
                {plan.error.message}
              </p>
            )}
            <Button
              type="submit"
              size="xs"
              className={classes.button}
              disabled={body === null}
              loading={plan.isPending}
            >
              Count and assign
            </Button>
          </form>
        </Panel>
        {plan.data !== undefined && <PlanResult plan={plan.data} />}
      </div>
    </>
  );
}

function Checkbox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={classes.mean}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />{" "}
      {label}
    </label>
  );
}
