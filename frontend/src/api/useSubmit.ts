import type { UseFormReturnType } from "@mantine/form";
import type { UseMutationResult } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { fieldErrors } from "@/api/problem";

interface Submit {
  readonly onSubmit: (event?: SyntheticEvent<HTMLFormElement>) => void;
  readonly busy: boolean;
  /** Message of the refusal; errors of fields are set on the fields too. */
  readonly error: string | undefined;
}

/** Sends a valid form; `bodyOf` returns null while it is incomplete. */
export function useSubmit<Values, Body>(
  form: UseFormReturnType<Values>,
  mutation: UseMutationResult<unknown, Error, Body>,
  bodyOf: (values: Values) => Body | null,
): Submit {
  const onSubmit = form.onSubmit((values) => {
    const body = bodyOf(values);
    if (body !== null) mutation.mutate(body, { onError: (error) => form.setErrors(fieldErrors(error)) });
  });
  return { onSubmit, busy: mutation.isPending, error: mutation.error?.message };
}
