/** A button for irreversible actions: the first press arms it, the second executes; blur disarms it. */
import { Button } from "@mantine/core";
import { useState } from "react";

interface Props {
  label: string;
  /** Label while armed, a question. */
  question: string;
  busy: boolean;
  onSure: () => void;
}

export function PressTwice({ label, question, busy, onSure }: Props) {
  const [isArmed, setArmed] = useState(false);
  const press = () => {
    setArmed(!isArmed);
    if (isArmed) onSure();
  };
  return (
    <Button size="xs" variant="default" loading={busy} onBlur={() => setArmed(false)} onClick={press}>
      {isArmed ? question : label}
    </Button>
  );
}
