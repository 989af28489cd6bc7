/** Filter controls of a list: free text and a selection. */
import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";

const TYPING_PAUSE_MS = 200;

/** Free text; calls `onChange` when typing pauses. */
export function TextFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (value !== applied) {
    // Something else changed the URL: show its value.
    setApplied(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
}

/** A selection; the first choice is usually `all`. */
export function ChoiceFilter<T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      data={choices.map((choice) => ({ ...choice }))}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    />
  );
}

export const STATE_CHOICES = [
  { value: "", label: "all states" },
  { value: "critical", label: "critical" },
  { value: "warning", label: "warning" },
  { value: "unknown", label: "unknown" },
  { value: "ok", label: "ok" },
  { value: "disabled", label: "disabled" },
] as const satisfies readonly Choice<string>[];
