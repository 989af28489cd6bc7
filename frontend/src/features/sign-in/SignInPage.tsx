/** Sign-in with user name and password; then returns to the page that was requested. */
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";
import { client, rememberCsrf, unwrap } from "@/api/client";
import { sessionQuery } from "@/api/queries";
import { useSubmit } from "@/api/useSubmit";
import classes from "./SignInPage.module.css";
import { FormError } from "@/ui/FormError";

export function SignInPage() {
  const form = useForm({ initialValues: { username: "", password: "" } });
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { username: string; password: string }) =>
      unwrap(client.POST("/api/v1/session", { body })),
    onSuccess: (person) => {
      rememberCsrf(person.csrf_token);
      queries.setQueryData(sessionQuery.queryKey, person);
      void navigate(nextPage(params.get("next")), { replace: true });
    },
  });
  const { onSubmit, busy, error } = useSubmit(form, signIn, (values) => values);
  return (
    <main className={classes.page}>
      <title>Sign in · Backstay</title>
      <form className={classes.form} onSubmit={onSubmit}>
        <h1>Backstay</h1>
        <p className="dim">Cluster network management: load, failover, changes.</p>
        <TextInput
          label="User name"
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps("username")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          {...form.getInputProps("password")}
        />
        <FormError>{error}</FormError>
        <Button type="submit" loading={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

/** `next` when it is a path of this application, else `/`. Browsers treat `//host` and `/\host` as other sites. */
export function nextPage(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
