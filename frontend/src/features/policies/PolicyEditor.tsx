/** Policy form with a live preview of matching nodes and stripe shares. */
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { client, unwrap } from "@/api/client";
import { carry } from "@/api/scope";
import type { Node, PolicyIn, NodeGroup } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import { DetectionFields } from "./DetectionFields";
import { validate, withGateways } from "./draft";
import { GroupFields } from "./PolicyFields";
import { OrderedGateways } from "./OrderedGateways";
import classes from "./PoliciesPage.module.css";
import { ReturnPathFields } from "./PolicyFields";
import { StripeFields } from "./PolicyFields";
import { StripePreview } from "./StripeShares";
import { members } from "./group";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { compare } from "@/util/compare";
import { count } from "@/util/units";

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
  const form = useForm<PolicyIn>({
    initialValues: first,
    validate: (values) => validate(values, others),
    // An error may concern a group of fields.
    onValuesChange: () => form.clearErrors(),
  });
  const draft = form.values;
  const problems = validate(draft, others);
  const [firstError] = Object.values(form.errors);
  const { onSubmit, busy, error } = useSubmit(form, useSave(id), (values) => values);
  return (
    <>
      <PageHeader
        title={title}
        headline="Saving changes no node. Nodes change when a plan is approved and applied."
      />
      <form className={classes.editor} onSubmit={onSubmit} noValidate>
        <div className={classes.form}>
          <Scope form={form} nodes={nodes} />
          <Gateways form={form} nodes={nodes} />
          <Panel title="Failure detection">
            <DetectionFields form={form} />
          </Panel>
          <Panel title="Return path">
            <ReturnPathFields form={form} routers={gatewaysOf(nodes)} />
          </Panel>
          <FormError>{error}</FormError>
          <div className={classes.row}>
            <Button type="submit" size="sm" loading={busy}>
              {id === null ? "Save policy" : "Save"}
            </Button>
            {error === undefined && <FormError>{firstError}</FormError>}
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
  form: UseFormReturnType<PolicyIn>;
  nodes: readonly Node[];
}

function Scope({ form, nodes }: PartProps) {
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
            {...form.getInputProps("name")}
          />
          <TextInput
            size="xs"
            label="Destination"
            description="0.0.0.0/0 or ::/0 for the default route"
            required
            {...form.getInputProps("prefix")}
          />
        </div>
        <GroupFields form={form} nodes={nodes} />
        <FormError>{form.errors.nodes}</FormError>
        <Textarea
          size="xs"
          label="Note"
          autosize
          minRows={1}
          maxLength={2000}
          {...form.getInputProps("note")}
        />
      </div>
    </Panel>
  );
}

function Gateways({ form, nodes }: PartProps) {
  const { stripe, gateways = [] } = form.values;
  const chosen = stripe?.gateways ?? gateways;
  const shape = (value: string) =>
    value === "stripe"
      ? form.setValues({
          stripe: { gateways: [...chosen], backups: 1, balance: "count", weights: {}, by_label: "" },
          gateways: [],
        })
      : form.setValues({ stripe: null, gateways: [...chosen] });
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
          onChange={(next) =>
            form.setValues(stripe == null ? { gateways: next } : { stripe: withGateways(stripe, next) })
          }
        />
        <FormError>{form.errors.gateways}</FormError>
        {stripe != null && <StripeFields form={form} stripe={stripe} />}
      </div>
    </Panel>
  );
}

/** Nodes that match the group now, and those that Backstay does not manage. */
function GroupPreview({
  group,
  nodes,
  gateways,
}: {
  group: NodeGroup;
  nodes: readonly Node[];
  gateways: readonly string[];
}) {
  const inside = members(group, nodes);
  const unmanaged = inside.filter(({ engine }) => engine === null);
  const itself = inside.filter(({ name }) => gateways.includes(name));
  return (
    <Panel
      title="Members"
      aside={
        <b className="num" aria-live="polite" data-testid="group-count">
          {count(inside.length, "node")}
        </b>
      }
    >
      <div className={classes.stack}>
        <p className={classes.names}>
          {inside.length === 0
            ? "No nodes match yet. Set at least one field of the group."
            : inside.map(({ name }) => name).join(", ")}
        </p>
        {unmanaged.length > 0 && (
          <p className={classes.bad}>
            {count(unmanaged.length, "node")} not managed: {unmanaged.map(({ name }) => name).join(", ")}.
            Plans skip {unmanaged.length === 1 ? "it" : "them"}. Set the <code>routing:</code> key in the site
            file to let Backstay manage routes.
          </p>
        )}
        {itself.length > 0 && (
          <p className={classes.bad}>
            {itself.map(({ name }) => name).join(", ")}{" "}
            {itself.length === 1 ? "is its own gateway." : "are their own gateways."}
          </p>
        )}
      </div>
    </Panel>
  );
}
