/** A button for what cannot be undone: the first press asks, the second does it; leaving it forgets the first. */
import { Button } from "@mantine/core";
import { useState } from "react";

interface Props {
  label: string;
  /** What the second press would do, as a question. */
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
