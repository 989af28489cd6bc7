/** Writing a plan: what is tested between whom, what is varied, when; with how many cells that makes and how long they unwrap. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState, type FormEvent } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import { asApiError } from "@/api/problem";
import { agentsQuery, fabricsQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { testPlanQuery, useSavePlan } from "@/api/throughput";
import {
  EMPTY_DRAFT,
  MOST_CELLS,
  draftOf,
  has,
  matrixOfDraft,
  validate,
  parseNames,
  planOfDraft,
  sizeOf,
  takesReceivers,
  formatParsed,
  type Draft,
  type Kind,
  type Shape,
} from "./draft";
import classes from "./Tests.module.css";
import { CheckboxGroup } from "./CheckboxGroup";
import { moreOf, settingFacts, TICKED_MORE, errorsByField } from "./settings";
import { KIND_LABELS, SHAPE_LABELS } from "./labels";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Disclosure } from "@/ui/Disclosure";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { compare } from "@/util/compare";
import { count, duration } from "@/util/units";

const KINDS: readonly Kind[] = ["tcp", "udp", "request_ack", "ping", "rdma"];
const SHAPES: readonly Shape[] = ["pair", "n_pairs", "many_to_one", "one_to_many", "n_way", "mesh"];

/** Ends and shape may come in the address: a link to a plan that is half written. */
export function NewPlanPage() {
  const site = useSite();
  const [params] = useSearchParams();
  const shape = SHAPES.find((one) => one === params.get("shape")) ?? "pair";
  const first: Draft = {
    ...EMPTY_DRAFT,
    shape,
    senders: params.get("senders") ?? "",
    receivers: params.get("receivers") ?? "",
  };
  return <PlanForm key={site?.name} site={site?.name ?? ""} first={first} id={null} title="New test plan" />;
}

export function EditPlanPage() {
  const id = Number(useParams().id);
  const plan = useQuery({ ...testPlanQuery(id), refetchInterval: false, refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={plan} what="this plan" page="Edit plan">
      {(data) => <PlanForm site={data.site} first={draftOf(data)} id={id} title={`Edit ${data.name}`} />}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  first: Draft;
  /** Null: a new one. */
  id: number | null;
  title: string;
}

function PlanForm({ site, first, id, title }: Props) {
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const [isMore, setIsMore] = useState(false);
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSavePlan(id, ({ url }) => void navigate(carry(url, search)));
  const wrong = validate(draft);
  const told = save.error === null ? {} : errorsByField(asApiError(save.error).fields, draft.kind);
  const said = (field: string) => told[field] ?? (tried ? wrong[field] : undefined);
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }));
  const text = (
    field: { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft],
    label: string,
    more: Partial<React.ComponentProps<typeof TextInput>> = {},
  ) => (
    <TextInput
      size="xs"
      label={label}
      value={draft[field]}
      error={said(field)}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
      {...more}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(wrong).length === 0) save.mutate(planOfDraft(site, draft));
  };
  const { kind, shape } = draft;
  return (
    <>
      <PageHeader title={title} headline={<PlanSize draft={draft} />} />
      <form className={classes.page} onSubmit={submit} noValidate>
        <Panel title="What is tested, between whom">
          <div className={classes.stack}>
            <div className={classes.fields}>
              {text("name", "Name", { placeholder: "shift3-shift7", maxLength: 50 })}
              <NativeSelect
                size="xs"
                label="Test"
                value={kind}
                data={KINDS.map((one) => ({ value: one, label: KIND_LABELS[one] }))}
                onChange={(event) => set(ofKind(event.currentTarget.value as Kind))}
              />
              <NativeSelect
                size="xs"
                label="At a time"
                value={shape}
                data={SHAPES.map((one) => ({ value: one, label: SHAPE_LABELS[one] ?? one }))}
                onChange={(event) => set({ shape: event.currentTarget.value as Shape })}
              />
              <Fabric site={site} value={draft.fabric} onChange={(fabric) => set({ fabric })} />
            </div>
            <div className={classes.fields}>
              <Ends
                site={site}
                label={takesReceivers(shape) ? "Senders" : "Ends"}
                value={draft.senders}
                error={said("senders")}
                onChange={(senders) => set({ senders })}
              />
              {takesReceivers(shape) && (
                <Ends
                  site={site}
                  label="Receivers"
                  value={draft.receivers}
                  error={said("receivers")}
                  onChange={(receivers) => set({ receivers })}
                />
              )}
            </div>
          </div>
        </Panel>
        <Panel title="What is varied" aside={<span className="dim">a cell for every combination</span>}>
          <div className={classes.stack}>
            <div className={classes.fields}>
              {has(kind, "streams") &&
                text("streams", "Streams", { description: "e.g. 1-10, or 1, 2, 4, 8" })}
              {has(kind, "buffers") &&
                text("buffers", "Buffers", {
                  description: parsedOr(draft.buffers, "octets of one write; empty: the tool's"),
                })}
              {kind === "tcp" &&
                text("windows", "Windows", {
                  description: parsedOr(draft.windows, "socket buffers; empty: the system's"),
                })}
              {has(kind, "sizes") &&
                text("sizes", "Sizes", { description: parsedOr(draft.sizes, "octets, e.g. 64, 1500, 64K") })}
              {(kind === "udp" || kind === "ping") &&
                text("rates", kind === "ping" ? "Echoes a second" : "Rate of each stream", {
                  description: kind === "ping" ? "e.g. 1, 10, 100" : "bit/s, e.g. 10M, 100M",
                })}
              {has(kind, "seconds") &&
                text("seconds", "Seconds a cell", { type: "number", min: 1, max: 3600 })}
              {has(kind, "count") && text("count", "Echoes a cell", { type: "number", min: 1, max: 100_000 })}
              {has(kind, "amount") &&
                text("amount", "Or octets a cell", { description: "e.g. 100M; used instead of seconds" })}
              {text("repeats", "Times each", { type: "number", min: 1, max: 20 })}
            </div>
            {has(kind, "directions") && (
              <CheckboxGroup
                label="Directions"
                error={said("directions")}
                values={draft.directions}
                choices={[
                  ["forward", "there"],
                  ["reverse", "back"],
                  ["both", "both at a time"],
                ]}
                onChange={(directions) => set({ directions })}
              />
            )}
            {kind === "request_ack" && (
              <CheckboxGroup
                label="Nagle's algorithm"
                error={said("nodelay")}
                values={draft.nodelay}
                choices={[
                  [false, "on"],
                  [true, "off (TCP_NODELAY)"],
                ]}
                onChange={(nodelay) => set({ nodelay })}
              />
            )}
            {has(kind, "ackDelay") && (
              <CheckboxGroup
                label="Acknowledgements"
                error={said("ackDelay")}
                values={draft.ackDelay}
                choices={[
                  ["system", "as the system does"],
                  ["quick", "at once"],
                  ["delayed", "delayed"],
                ]}
                onChange={(ackDelay) => set({ ackDelay })}
              />
            )}
            {moreOf(kind).length > 0 && (
              <Disclosure
                summary={
                  <>
                    More settings{" "}
                    <span className="dim">
                      {settingFacts(matrixOfDraft(draft))
                        .filter(([term]) => kind === "tcp" || term !== "rate of each stream")
                        .map(([term, words]) => `${term} ${words}`)
                        .join("; ")}
                    </span>
                  </>
                }
                open={isMore || moreOf(kind).some(({ field }) => said(field) !== undefined)}
                onToggle={setIsMore}
              >
                <div className={classes.stack}>
                  <div className={classes.fields}>
                    {moreOf(kind).map(({ field, label, help }) => (
                      <Fragment key={field}>{text(field, label, { description: help })}</Fragment>
                    ))}
                  </div>
                  {TICKED_MORE[kind].includes("nodelay") && (
                    <CheckboxGroup
                      label="Nagle's algorithm: off sends small writes at once"
                      error={said("nodelay")}
                      values={draft.nodelay}
                      choices={[
                        [false, "on"],
                        [true, "off (TCP_NODELAY)"],
                      ]}
                      onChange={(nodelay) => set({ nodelay })}
                    />
                  )}
                  {TICKED_MORE[kind].includes("programs") && (
                    <CheckboxGroup
                      label="Programs of perftest"
                      error={said("programs")}
                      values={draft.programs}
                      choices={[
                        ["ib_write_bw", "ib_write_bw: rate"],
                        ["ib_send_lat", "ib_send_lat: latency"],
                      ]}
                      onChange={(programs) => set({ programs })}
                    />
                  )}
                </div>
              </Disclosure>
            )}
          </div>
        </Panel>
        <Panel title="When, and within which bounds">
          <div className={classes.fields}>
            {text("schedule", "Timetable (UTC)", {
              placeholder: "0 3 * * *",
              description: "minute hour day month weekday; empty: when asked for",
            })}
            {text("quiet", "Quiet link (%)", {
              type: "number",
              min: 0,
              max: 100,
              description: "waits, or breaks off, above so much of others' traffic",
            })}
            {text("budgetS", "Seconds a day at most", {
              type: "number",
              min: 1,
              max: 86_400,
              description: "of test, UTC; empty: no bound",
            })}
            {text("budgetBytes", "Data a day at most", {
              description:
                formatParsed(draft.budgetBytes) === ""
                  ? "octets, e.g. 10G; empty: no bound"
                  : formatParsed(draft.budgetBytes),
            })}
            {text("priority", "Priority", {
              type: "number",
              min: 0,
              max: 9,
              description: "0 to 9, the greatest first",
            })}
            {text("note", "Note", { maxLength: 2000 })}
            <CheckboxGroup
              label="Its timetable is"
              values={draft.enabled ? [true] : []}
              choices={[[true, "in force"]]}
              onChange={(on) => set({ enabled: on.length > 0 })}
            />
          </div>
        </Panel>
        {save.error !== null && (
          <p className={classes.bad} role="alert">
            {save.error.message}
          </p>
        )}
        <div className={classes.row}>
          <Button type="submit" size="sm" loading={save.isPending} disabled={sizeOf(draft).isTooMany}>
            Save the plan
          </Button>
          {tried && Object.keys(wrong).length > 0 && (
            <span className={classes.bad} role="status">
              {Object.values(wrong)[0]}
            </span>
          )}
          <span className="dim">
            Saving runs nothing{draft.schedule.trim() === "" ? "" : " before its time"}.
          </span>
        </div>
      </form>
    </>
  );
}

const parsedOr = (text: string, otherwise: string): string =>
  formatParsed(text) === "" ? otherwise : formatParsed(text);

/** What a kind begins with where the other kind's figures mean nothing. */
function ofKind(kind: Kind): Partial<Draft> {
  if (kind === "ping") return { kind, sizes: "64, 64K", rates: "1, 10, 100", count: "10" };
  if (kind === "udp") return { kind, sizes: "64, 512, 1400", rates: "10M", streams: "1" };
  if (kind === "request_ack") return { kind, sizes: "16K, 64K, 256K, 1M", streams: "1" };
  if (kind === "rdma") return { kind, sizes: "64K, 1M" };
  return { kind, streams: EMPTY_DRAFT.streams, rates: "" };
}

function PlanSize({ draft }: { draft: Draft }) {
  const { cells, seconds, isTooMany } = sizeOf(draft);
  return (
    <span data-testid="plan-size" className={isTooMany ? classes.bad : undefined}>
      {isTooMany
        ? `${cells} cells are too many: a run has at most ${MOST_CELLS}. Take values out.`
        : `${count(cells, "cell")}${seconds === null ? "; how long they unwrap depends on the rate" : `, about ${duration(seconds)} a run`}.`}
    </span>
  );
}

function Fabric({
  site,
  value,
  onChange,
}: {
  site: string;
  value: string;
  onChange: (fabric: string) => void;
}) {
  const fabrics = useQuery({ ...fabricsQuery(site), enabled: site !== "" });
  return (
    <NativeSelect
      size="xs"
      label="Over"
      value={value}
      data={[
        { value: "", label: "the first fabric both are on" },
        ...(fabrics.data ?? []).map(({ name }) => ({ value: name, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Ends({
  site,
  label,
  value,
  error,
  onChange,
}: {
  site: string;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const agents = useQuery({ ...agentsQuery(site), enabled: site !== "" });
  const chosen = parseNames(value);
  const free = [...new Set((agents.data ?? []).filter(({ revoked }) => !revoked).map(({ node }) => node))]
    .filter((node) => !chosen.includes(node))
    .toSorted(compare);
  return (
    <div className={classes.ends}>
      <TextInput
        size="xs"
        label={label}
        placeholder="sp01, sp02"
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={`Add to ${label.toLowerCase()}`}
        value=""
        data={[{ value: "", label: "add …" }, ...free.map((node) => ({ value: node, label: node }))]}
        onChange={(event) => onChange([...chosen, event.currentTarget.value].join(", "))}
      />
    </div>
  );
}
