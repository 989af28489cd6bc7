/** The page after signing in: always one of this application. */

/** `next` when it is a path of this application, else `/`. Browsers treat `//host` and `/\host` as other sites. */
export function nextPage(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
