/** Some of a few values, as boxes to tick. */
import classes from "./Tests.module.css";

interface Props<T> {
  label: string;
  values: readonly T[];
  choices: readonly (readonly [value: T, label: string])[];
  error?: string | undefined;
  onChange: (values: T[]) => void;
}

export function CheckboxGroup<T extends string | boolean>({
  label,
  values,
  choices,
  error,
  onChange,
}: Props<T>) {
  return (
    <fieldset className={classes.checks}>
      <legend>{label}</legend>
      {choices.map(([value, words]) => (
        <label key={words}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={(event) =>
              onChange(
                choices
                  .map(([one]) => one)
                  .filter((one) => (one === value ? event.currentTarget.checked : values.includes(one))),
              )
            }
          />{" "}
          {words}
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
