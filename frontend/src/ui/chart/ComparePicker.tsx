/** Chooses an earlier period that a chart shows together with its own. */
import { NativeSelect } from "@mantine/core";
import { COMPARISONS } from "@/util/comparison";

interface Props {
  /** Days between the periods; 0: none is shown. */
  days: number;
  onChange: (days: number) => void;
}

export function ComparePicker({ days, onChange }: Props) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Compare with"
      value={String(days)}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      data={COMPARISONS.map(({ days: value, choice }) => ({ value: String(value), label: choice }))}
    />
  );
}
