/** A user name with suggestions; any other name may be typed. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { useId } from "react";

interface Props extends Pick<
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

export function PersonInput({ value, onChange, names, onSearch, ...input }: Props) {
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
