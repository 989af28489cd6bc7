/** Sign-in with user name and password; then returns to the page that was requested. */
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { client, rememberCsrf, unwrap } from "@/api/client";
import { asApiError } from "@/api/problem";
import { sessionQuery } from "@/api/queries";
import { nextPage } from "./next";
import classes from "./SignInPage.module.css";

export function SignInPage() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    meta: { ownErrors: true },
    mutationFn: () => unwrap(client.POST("/api/v1/session", { body: { username, password } })),
    onSuccess: (person) => {
      rememberCsrf(person.csrf_token);
      queries.setQueryData(sessionQuery.queryKey, person);
      void navigate(nextPage(params.get("next")), { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <main className={classes.page}>
      <title>Sign in · Backstay</title>
      <form className={classes.form} onSubmit={submit}>
        <h1>Backstay</h1>
        <p className="dim">Cluster network management: load, failover, changes.</p>
        <TextInput
          label="User name"
          autoComplete="username"
          required
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {signIn.isError && (
          <p className={classes.error} role="alert">
            {asApiError(signIn.error).message}
          </p>
        )}
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
