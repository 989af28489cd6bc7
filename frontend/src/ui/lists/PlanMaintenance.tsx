/** Plans a maintenance window for exactly the rows that the filters of a list select. */
import { useState } from "react";

interface Props {
  /** What the window is for: `all matching devices`. */
  of: string;
  disabled: boolean;
  /** Reads all rows and opens the form. */
  plan: () => Promise<void>;
}

export function PlanMaintenance({ of, disabled, plan }: Props) {
  const [isBusy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void plan().finally(() => setBusy(false));
  };
  return (
    <button type="button" className="chip" disabled={disabled || isBusy} onClick={press}>
      Plan maintenance<span className="visually-hidden"> of {of}</span>
    </button>
  );
}
