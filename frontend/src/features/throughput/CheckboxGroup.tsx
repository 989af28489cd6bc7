/** A group of checkboxes; selected values keep the order of the options. */
import classes from "./Tests.module.css";

interface Props<T> {
  label: string;
  values: readonly T[];
  options: readonly (readonly [value: T, label: string])[];
  error?: string | undefined;
  onChange: (values: T[]) => void;
}

export function CheckboxGroup<T extends string | boolean>({
  label,
  values,
  options,
  error,
  onChange,
}: Props<T>) {
  const toggle = (value: T, isChecked: boolean) =>
    onChange(
      options
        .map(([option]) => option)
        .filter((option) => (option === value ? isChecked : values.includes(option))),
    );
  return (
    <fieldset className={classes.checks}>
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <label key={text}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />{" "}
          {text}
        </label>
      ))}
      {error !== undefined && (
        <span className={classes.bad} role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
