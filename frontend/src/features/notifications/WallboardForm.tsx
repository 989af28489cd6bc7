/** Forms of a new wallboard, with its link once it is created, and of an existing one. */
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import {
  useCreateWallboard,
  useUpdateWallboard,
  wallboardQuery,
  type Wallboard,
  type WallboardIn,
  type WallboardPage,
} from "@/api/wallboard/queries";
import { FormPage } from "./Header";
import classes from "./Notifications.module.css";
import { WallboardLink } from "./WallboardLink";
import { ButtonLink } from "@/ui/ButtonLink";
import { Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { clock } from "@/util/time";
import { wallboard as choices } from "@/util/spec.json";

const PAGES = choices.pages.map(({ value, label }) => ({ value: value as WallboardPage, label }));
const DAY_MS = 86_400_000;
/** Choice of the draft: the time that the wallboard has already. */
const AS_BEFORE = "before";
const EXPIRIES = [
  { value: "", label: "never" },
  { value: "1", label: "in a day" },
  { value: "30", label: "in 30 days" },
  { value: "365", label: "in a year" },
] as const;

interface Draft {
  name: string;
  pages: WallboardPage[];
  seconds: string;
  theme: string;
  text_size: string;
  /** Days from now; empty: never; `AS_BEFORE`. */
  expires: string;
}

type WallboardFormValues = UseFormReturnType<Draft>;

const FIRST: Draft = {
  name: "",
  pages: PAGES.map(({ value }) => value),
  seconds: String(choices.seconds.default),
  theme: "dark",
  text_size: "normal",
  expires: "",
};

function validate({ name, pages, seconds }: Draft): Record<string, string | null> {
  const { least, most } = choices.seconds;
  return {
    name: name.trim() === "" ? "Say where the screen is." : null,
    pages: pages.length === 0 ? "Choose at least one page." : null,
    seconds:
      /^\d+$/.test(seconds) && Number(seconds) >= least && Number(seconds) <= most
        ? null
        : `${least} to ${most} s`,
  };
}

const draftOf = ({ name, pages, seconds, theme, text_size, expires_at }: Wallboard): Draft => ({
  name,
  pages: [...pages],
  seconds: String(seconds),
  theme,
  text_size,
  expires: expires_at === null ? "" : AS_BEFORE,
});

/** `now`: Unix milliseconds. Pages are in the order of the choices. `before`: when it expires already. */
export function wallboardOfDraft(
  site: string,
  draft: Draft,
  now: number,
  before: string | null = null,
): WallboardIn {
  const { name, pages, seconds, theme, text_size, expires } = draft;
  return {
    site,
    name: name.trim(),
    pages: PAGES.map(({ value }) => value).filter((page) => pages.includes(page)),
    seconds: Number(seconds),
    theme: theme as WallboardIn["theme"],
    text_size: text_size as WallboardIn["text_size"],
    expires_at: expires === AS_BEFORE ? before : expiry(expires, now),
  };
}

const expiry = (days: string, now: number): string | null =>
  days === "" ? null : new Date(now + Number(days) * DAY_MS).toISOString();

export function NewWallboardPage() {
  const site = useSite()?.name;
  const { data: person } = useQuery(sessionQuery);
  if (site === undefined || person === undefined) return <Waiting what="the sites" />;
  return (
    <FormPage isAllowed={may.editWallboards(person)} title="New wallboard" who="An operator">
      <WallboardForm key={site} site={site} />
    </FormPage>
  );
}

export function EditWallboardPage() {
  const id = Number(useParams().id);
  const { data: person } = useQuery(sessionQuery);
  const wallboard = useQuery(wallboardQuery(id));
  return (
    <QueryBoundary query={wallboard} what="this wallboard" page="Edit wallboard">
      {(data) => (
        <FormPage
          isAllowed={person === undefined ? undefined : may.editWallboards(person)}
          title={`Edit ${data.name}`}
          who="An operator"
        >
          <EditForm key={id} wallboard={data} />
        </FormPage>
      )}
    </QueryBoundary>
  );
}

function EditForm({ wallboard }: { wallboard: Wallboard }) {
  const { id, name, site, expires_at } = wallboard;
  const form = useForm<Draft>({ initialValues: draftOf(wallboard), validate });
  const navigate = useNavigate();
  const { search } = useLocation();
  const update = useUpdateWallboard(id, () => void navigate(carry("/notifications/wallboards", search)));
  const { onSubmit, busy, error } = useSubmit(form, update, (values) =>
    wallboardOfDraft(site, values, Date.now(), expires_at),
  );
  return (
    <>
      <PageHeader
        title={`Edit ${name}`}
        headline="Its link stays; open screens follow within half a minute."
      />
      <Fields
        form={form}
        expiries={expires_at === null ? EXPIRIES : [asBefore(expires_at), ...EXPIRIES]}
        action="Save wallboard"
        onSubmit={onSubmit}
        busy={busy}
        error={error}
      />
    </>
  );
}

const asBefore = (expires_at: string): Choice => ({
  value: AS_BEFORE,
  label: `as before: ${clock(expires_at).slice(0, 16)}`,
});

function WallboardForm({ site }: { site: string }) {
  const form = useForm<Draft>({ initialValues: FIRST, validate });
  const create = useCreateWallboard(() => undefined);
  const { onSubmit, busy, error } = useSubmit(form, create, (values) =>
    wallboardOfDraft(site, values, Date.now()),
  );
  if (create.data !== undefined)
    return (
      <>
        <PageHeader title="New wallboard" headline={`${create.data.name} is created.`} />
        <div className={classes.page}>
          <WallboardLink wallboard={create.data} />
          <div>
            <ButtonLink href="/notifications/wallboards">All wallboards</ButtonLink>
          </div>
        </div>
      </>
    );
  return (
    <>
      <PageHeader
        title="New wallboard"
        headline={`Its link shows ${site} without a sign-in, and can change nothing.`}
      />
      <Fields
        form={form}
        expiries={EXPIRIES}
        action="Create wallboard"
        onSubmit={onSubmit}
        busy={busy}
        error={error}
      />
    </>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FieldsProps {
  form: WallboardFormValues;
  expiries: readonly Choice[];
  action: string;
  onSubmit: (event?: SyntheticEvent<HTMLFormElement>) => void;
  busy: boolean;
  error: string | undefined;
}

function Fields({ form, expiries, action, onSubmit, busy, error }: FieldsProps) {
  return (
    <form className={classes.page} onSubmit={onSubmit} noValidate>
      <Panel title="Wallboard">
        <div className={classes.stack}>
          <div className={classes.fields}>
            <TextInput
              size="xs"
              label="Name"
              placeholder="control room"
              maxLength={100}
              {...form.getInputProps("name")}
            />
            <TextInput
              size="xs"
              label="Seconds per page"
              inputMode="numeric"
              {...form.getInputProps("seconds")}
            />
            <NativeSelect size="xs" label="Theme" data={choices.themes} {...form.getInputProps("theme")} />
            <NativeSelect
              size="xs"
              label="Text size"
              data={choices.text_sizes}
              {...form.getInputProps("text_size")}
            />
            <NativeSelect size="xs" label="Expires" data={[...expiries]} {...form.getInputProps("expires")} />
          </div>
          <Checkbox.Group label="Pages in rotation" size="xs" {...form.getInputProps("pages")}>
            <div className={classes.checks}>
              {PAGES.map(({ value, label }) => (
                <Checkbox key={value} size="xs" value={value} label={label} />
              ))}
            </div>
          </Checkbox.Group>
          <FormError>{error}</FormError>
          <div>
            <Button type="submit" size="xs" loading={busy}>
              {action}
            </Button>
          </div>
        </div>
      </Panel>
    </form>
  );
}
