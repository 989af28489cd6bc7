/** A wallboard that cannot be displayed, for example because the server is being upgraded: it reloads by itself. */
import { useEffect } from "react";
import { useRouteError } from "react-router";
import { asApiError } from "@/api/problem";
import { ErrorState } from "@/ui/ErrorState";

const RELOAD_MS = 30_000;
const SPREAD_MS = 15_000;

export function WallboardError() {
  const { message } = asApiError(useRouteError());
  useEffect(() => {
    const timer = setTimeout(() => globalThis.location.reload(), RELOAD_MS + Math.random() * SPREAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <ErrorState
      title="This wallboard cannot be displayed"
      message={`${message} It reloads in half a minute.`}
    />
  );
}
