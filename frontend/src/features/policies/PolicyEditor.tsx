/** Policy form with a live preview of matching nodes and stripe shares. */
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { client, unwrap } from "@/api/client";
import { groupPreviewQuery } from "@/api/failover";
import { nodesList } from "@/api/queries";
import { carry } from "@/api/scope";
import type { GroupPreview, PolicyIn } from "@/api/types";
import { useNames } from "@/api/useNames";
import { useSubmit } from "@/api/useSubmit";
import { DetectionFields } from "./DetectionFields";
import { validate, withGateways } from "./draft";
import { GroupFields } from "./PolicyFields";
import { OrderedGateways } from "./OrderedGateways";
import classes from "./PoliciesPage.module.css";
import { ReturnPathFields } from "./PolicyFields";
import { StripeFields } from "./PolicyFields";
import { StripePreview } from "./StripeShares";
import { Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";

interface Props {
  draft: PolicyIn;
  /** Null: a new policy. */
  id: number | null;
  title: string;
  /** Names of the other policies. */
  others: readonly string[];
}

const TYPING_PAUSE_MS = 200;

/** The server's selection of the group. */
function useGroup({ site, nodes, gateways = [], stripe }: PolicyIn): GroupPreview | undefined {
  const [settled] = useDebouncedValue(nodes, TYPING_PAUSE_MS);
  return useQuery(groupPreviewQuery({ site, nodes: settled, gateways: stripe?.gateways ?? gateways })).data;
}

export function PolicyEditor({ draft: first, id, title, others }: Props) {
  const form = useForm<PolicyIn>({
    initialValues: first,
    validate: (values) => validate(values, others),
    // An error may concern a group of fields.
    onValuesChange: () => form.clearErrors(),
  });
  const draft = form.values;
  const group = useGroup(draft);
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
          <Scope form={form} group={group} />
          <Gateways form={form} />
          <Panel title="Failure detection">
            <DetectionFields form={form} />
          </Panel>
          <Panel title="Return path">
            <ReturnPathFields form={form} />
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
          <Members group={group} />
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
}

function Scope({ form, group }: PartProps & { group: GroupPreview | undefined }) {
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
        <GroupFields form={form} roles={group?.roles ?? []} labels={group?.labels ?? []} />
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

function Gateways({ form }: PartProps) {
  const { site, stripe, gateways = [] } = form.values;
  // By kind: gateways come first.
  const { names, search } = useNames(nodesList, site, ({ name }) => name, "kind");
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
          names={names}
          onSearch={search}
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
function Members({ group }: { group: GroupPreview | undefined }) {
  if (group === undefined) return <Waiting what="the members" />;
  const { total, nodes, not_managed_total, not_managed, own_gateways } = group;
  return (
    <Panel
      title="Members"
      aside={
        <b className="num" aria-live="polite" data-testid="group-count">
          {count(total, "node")}
        </b>
      }
    >
      <div className={classes.stack}>
        <p className={classes.names}>
          {total === 0 ? "No nodes match yet. Set at least one field of the group." : listed(nodes, total)}
        </p>
        {not_managed_total > 0 && (
          <p className={classes.bad}>
            {count(not_managed_total, "node")} not managed: {listed(not_managed, not_managed_total)}. Plans
            skip {not_managed_total === 1 ? "it" : "them"}. Set the <code>routing:</code> key in the site file
            to let Backstay manage routes.
          </p>
        )}
        {own_gateways.length > 0 && (
          <p className={classes.bad}>
            {own_gateways.join(", ")}{" "}
            {own_gateways.length === 1 ? "is its own gateway." : "are their own gateways."}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** `sp01, sp02 and 98 more`; the server may have truncated the names. */
const listed = (names: readonly string[], total: number): string =>
  names.join(", ") + (names.length < total ? ` and ${total - names.length} more` : "");
