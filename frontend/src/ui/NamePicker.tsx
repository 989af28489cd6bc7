/** Selects a name from a long list, by a suggestion or by Enter on the full name. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useId, useRef, useState, type ChangeEvent } from "react";

interface Props extends Pick<TextInputProps, "label" | "placeholder" | "aria-label" | "error"> {
  value: string;
  /** Suggestions for the typed text. */
  names: readonly string[];
  /** What a name stands for, next to its suggestion. */
  describe?: (name: string) => string;
  onSearch: (text: string) => void;
  /** Empty: cleared. */
  onPick: (name: string) => void;
}

/** Whether the browser set the text, i.e. the user chose a suggestion. */
const isChosen = ({ nativeEvent }: ChangeEvent): boolean =>
  ((nativeEvent as InputEvent).inputType ?? "insertReplacementText") === "insertReplacementText";

export function NamePicker({ value, names, describe, onSearch, onPick, ...labels }: Props) {
  const list = useId();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  /** Text to select as soon as it is among the suggestions. */
  const wanted = useRef("");
  if (value !== applied) {
    // Something else changed the value: show it.
    setApplied(value);
    setText(value);
  }
  const take = () => {
    const name = wanted.current;
    if (!names.includes(name)) return;
    wanted.current = "";
    // Where a pick adds to a list, the value stays as it is, and the next name is typed into an empty field.
    setText(value);
    onPick(name);
  };
  useEffect(take);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const next = event.currentTarget.value;
    setText(next);
    onSearch(next);
    wanted.current = isChosen(event) ? next : "";
    if (next === "") onPick("");
    take();
  };
  return (
    <>
      <TextInput
        size="xs"
        {...labels}
        list={list}
        value={text}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          wanted.current = text;
          take();
        }}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name}>
            {describe?.(name) ?? name}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface PersonProps extends Pick<
  TextInputProps,
  "label" | "description" | "placeholder" | "aria-label" | "error" | "onKeyDown"
> {
  value: string;
  onChange: (name: string) => void;
  /** Suggestions for the typed text. */
  names: readonly string[];
  onSearch: (text: string) => void;
}

/** Longest user name. */
const LONGEST = 150;

/** A user name with suggestions; any other name may be typed. */
export function PersonInput({ value, onChange, names, onSearch, ...input }: PersonProps) {
  const list = useId();
  return (
    <>
      <TextInput
        size="xs"
        {...input}
        list={list}
        maxLength={LONGEST}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          onSearch(currentTarget.value);
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
