import { TextInput } from "@mantine/core";
import { useState, type ComponentProps } from "react";

interface Props<T> extends Omit<ComponentProps<typeof TextInput>, "value" | "onChange"> {
  value?: T;
  onChange: (next: T) => void;
  format: (value: T) => string;
  parse: (text: string) => T;
}

/** Text field of a list or a number: keeps the text as typed while the form keeps its value. */
export function ParsedInput<T>({ value, onChange, format, parse, ...input }: Props<T>) {
  const formatted = format(value as T);
  const [typed, setTyped] = useState(formatted);
  // The form may set another value.
  const text = format(parse(typed)) === formatted ? typed : formatted;
  return (
    <TextInput
      size="xs"
      value={text}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parse(event.currentTarget.value));
      }}
      {...input}
    />
  );
}

/** A number; an empty field is 0. */
export const NUMBER = { type: "number", format: String, parse: Number } as const;

/** Text without spaces around it; an empty field is null. */
export const OPTIONAL_TEXT = {
  format: (value: string | null | undefined): string => value ?? "",
  parse: (text: string): string | null => text.trim() || null,
};
