/** Two nodes, found by name on the server; unknown names with the names that are meant. */
import { Button, TextInput } from "@mantine/core";
import { useId, useState, type FormEvent } from "react";
import type { RouteEnds } from "@/api/models/paths";
import { nodesList } from "@/api/queries";
import { useNames } from "@/api/useNames";
import { usePages } from "@/api/useListPage";
import classes from "./RoutePage.module.css";

type End = keyof RouteEnds;
/** What the API expects of each unknown end. */
type Unknown = Readonly<Record<string, string>>;

const LABELS: Record<End, string> = { source: "From", destination: "To" };
const ENDS: readonly End[] = ["source", "destination"];
const nameOf = ({ name }: { name: string }): string => name;

interface Props {
  site: string;
  ends: RouteEnds;
  unknown: Unknown;
  onChange: (ends: Partial<RouteEnds>) => void;
}

export function RouteForm({ site, ends, unknown, onChange }: Props) {
  const [texts, setTexts] = useState<RouteEnds>(ends);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ source: texts.source.trim(), destination: texts.destination.trim() });
  };
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Path between two nodes">
      {ENDS.map((end) => (
        <NodeInput
          key={end}
          site={site}
          label={LABELS[end]}
          value={texts[end]}
          error={unknown[end] === undefined ? undefined : `There is no node ${ends[end]}.`}
          onChange={(name) => setTexts({ ...texts, [end]: name })}
        />
      ))}
      <Button type="submit" size="xs">
        Find the path
      </Button>
    </form>
  );
}

interface InputProps {
  site: string;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

/** Any name can be entered: the server refuses an unknown one with a message. */
function NodeInput({ site, label, value, error, onChange }: InputProps) {
  const list = useId();
  const { names, search } = useNames(nodesList, site === "" ? undefined : site, nameOf);
  return (
    <>
      <TextInput
        size="xs"
        label={label}
        placeholder="name of a node"
        autoComplete="off"
        required
        withAsterisk={false}
        list={list}
        value={value}
        error={error}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          search(currentTarget.value);
        }}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface SuggestionsProps {
  site: string;
  ends: RouteEnds;
  unknown: Unknown;
  onPick: (ends: Partial<RouteEnds>) => void;
}

export function Suggestions({ unknown, ...rest }: SuggestionsProps) {
  return ENDS.filter((end) => unknown[end] !== undefined).map((end) => (
    <SimilarNodes key={end} end={end} {...rest} />
  ));
}

const MOST_SIMILAR = 8;

/** Nodes whose name contains the unknown one, or its letters without the number. */
function SimilarNodes({ end, site, ends, onPick }: Omit<SuggestionsProps, "unknown"> & { end: End }) {
  const stem = ends[end].replace(/\d+$/, "") || ends[end];
  const found = usePages(nodesList(site, { q: stem, sort: "name", limit: MOST_SIMILAR }), site !== "");
  const names = found.query.data?.map(nameOf);
  if (names === undefined) return null;
  if (names.length === 0) return <p>No name of a node contains “{stem}”.</p>;
  return (
    <p className={classes.similar}>
      Nodes with “{stem}” in their name:{" "}
      {names.map((name) => (
        <button key={name} type="button" className={classes.plain} onClick={() => onPick({ [end]: name })}>
          {name}
        </button>
      ))}
    </p>
  );
}
