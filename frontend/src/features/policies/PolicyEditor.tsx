/** Policy form with a live preview of matching nodes and stripe shares. */
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "@mantine/form";
import { useLocation, useNavigate } from "react-router";
import { client, unwrap } from "@/api/client";
import { fieldErrors } from "@/api/problem";
import { carry } from "@/api/scope";
import type { Node, PolicyIn } from "@/api/types";
import { DetectionFields } from "./DetectionFields";
import { DEFAULT_TIMERS, validate, withGateways, timersFor } from "./draft";
import { GroupFields } from "./GroupFields";
import { GroupPreview } from "./GroupPreview";
import { OrderedGateways } from "./OrderedGateways";
import classes from "./PoliciesPage.module.css";
import { ReturnPathFields } from "./ReturnPathFields";
import { StripeFields } from "./StripeFields";
import { StripePreview } from "./StripeShares";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { compare } from "@/util/compare";

interface Props {
  draft: PolicyIn;
  /** Null: a new one. */
  id: number | null;
  title: string;
  nodes: readonly Node[];
  /** Names of the other policies. */
  others: readonly string[];
}

const RANK: Readonly<Record<string, number>> = { gateway: 0, router: 1 };

/** Likely gateways first. */
const gatewaysOf = (nodes: readonly Node[]): string[] =>
  nodes
    .toSorted(
      (a, b) =>
        (RANK[a.role] ?? RANK[a.kind] ?? 2) - (RANK[b.role] ?? RANK[b.kind] ?? 2) || compare(a.name, b.name),
    )
    .map(({ name }) => name);

export function PolicyEditor({ draft: first, id, title, nodes, others }: Props) {
  const form = useForm<PolicyIn>({ initialValues: first, validate: (values) => validate(values, others) });
  const save = useSave(id);
  const draft = form.values;
  const problems = validate(draft, others);
  const [firstError] = Object.values(form.errors);
  const error = (field: string) => form.errors[field] as string | undefined;
  const set = (change: Partial<PolicyIn>) => form.setValues(change);
  const submit = form.onSubmit((values) =>
    save.mutate(values, { onError: (failure) => form.setErrors(fieldErrors(failure)) }),
  );
  const parts = { draft, set, error, nodes };
  return (
    <>
      <PageHeader
        title={title}
        headline="Saving changes no node. Nodes change when a plan is approved and applied."
      />
      <form className={classes.editor} onSubmit={submit} noValidate>
        <div className={classes.form}>
          <Scope {...parts} />
          <Gateways {...parts} />
          <Panel title="Failure detection">
            <DetectionFields
              detection={draft.detection}
              timers={draft.timers ?? DEFAULT_TIMERS}
              target={draft.target ?? ""}
              onDetection={(detection) =>
                set({ detection, timers: timersFor(detection, draft.timers ?? DEFAULT_TIMERS) })
              }
              onTimers={(timers) => set({ timers })}
              onTarget={(target) => set({ target: target.trim() === "" ? null : target.trim() })}
            />
          </Panel>
          <Panel title="Return path">
            <ReturnPathFields
              path={draft.return_path ?? null}
              routers={gatewaysOf(nodes)}
              error={error("return_path")}
              onChange={(return_path) => set({ return_path })}
            />
          </Panel>
          {save.error !== null && (
            <p className={classes.bad} role="alert">
              {save.error.message}
            </p>
          )}
          <div className={classes.row}>
            <Button type="submit" size="sm" loading={save.isPending}>
              {id === null ? "Save policy" : "Save"}
            </Button>
            {firstError !== undefined && (
              <span className={classes.bad} role="status">
                {firstError}
              </span>
            )}
          </div>
        </div>
        <aside className={classes.aside} aria-label="Preview">
          <GroupPreview
            group={draft.nodes}
            nodes={nodes}
            gateways={draft.stripe?.gateways ?? draft.gateways ?? []}
          />
          {draft.stripe != null &&
            draft.stripe.gateways.length > 1 &&
            problems.nodes === undefined &&
            problems.weights === undefined && (
              <Panel title="Stripe shares" flush>
                <StripePreview draft={draft} />
              </Panel>
            )}
        </aside>
      </form>
    </>
  );
}

function useSave(id: number | null) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: PolicyIn) =>
      id === null
        ? unwrap(client.POST("/api/v1/failover-policies", { body }))
        : unwrap(client.PUT("/api/v1/failover-policies/{id}", { params: { path: { id } }, body })),
    onSuccess: (policy) => {
      void queries.invalidateQueries({ queryKey: ["policies"] });
      notify("good", `Policy ${policy.name} saved. Create a plan to deploy it.`);
      void navigate(carry(`/policies/${policy.id}`, search));
    },
  });
}

interface PartProps {
  draft: PolicyIn;
  set: (change: Partial<PolicyIn>) => void;
  error: (field: string) => string | undefined;
  nodes: readonly Node[];
}

function Scope({ draft, set, error, nodes }: PartProps) {
  return (
    <Panel title="Scope and destination">
      <div className={classes.stack}>
        <div className={classes.fields}>
          <TextInput
            size="xs"
            label="Name"
            placeholder="sp-default"
            required
            maxLength={50}
            value={draft.name}
            error={error("name")}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label="Destination"
            description="0.0.0.0/0 or ::/0 for the default route"
            required
            value={draft.prefix}
            error={error("prefix")}
            onChange={(event) => set({ prefix: event.currentTarget.value })}
          />
        </div>
        <GroupFields group={draft.nodes} nodes={nodes} onChange={(group) => set({ nodes: group })} />
        {error("nodes") !== undefined && <p className={classes.bad}>{error("nodes")}</p>}
        <Textarea
          size="xs"
          label="Note"
          autosize
          minRows={1}
          maxLength={2000}
          value={draft.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
        />
      </div>
    </Panel>
  );
}

function Gateways({ draft, set, error, nodes }: PartProps) {
  const { stripe } = draft;
  const chosen = stripe?.gateways ?? draft.gateways ?? [];
  const shape = (value: string) =>
    value === "stripe"
      ? set({
          stripe: { gateways: [...chosen], backups: 1, balance: "count", weights: {}, by_label: "" },
          gateways: [],
        })
      : set({ stripe: null, gateways: [...chosen] });
  return (
    <Panel
      title="Gateways"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Gateway selection"
          value={stripe == null ? "order" : "stripe"}
          onChange={shape}
          data={[
            { value: "order", label: "ordered list" },
            { value: "stripe", label: "stripe" },
          ]}
        />
      }
    >
      <div className={classes.stack}>
        <OrderedGateways
          chosen={chosen}
          all={gatewaysOf(nodes)}
          ordered={stripe == null}
          onChange={(gateways) =>
            stripe == null ? set({ gateways }) : set({ stripe: withGateways(stripe, gateways) })
          }
        />
        {error("gateways") !== undefined && <p className={classes.bad}>{error("gateways")}</p>}
        {stripe != null && <StripeFields stripe={stripe} onChange={(next) => set({ stripe: next })} />}
      </div>
    </Panel>
  );
}
