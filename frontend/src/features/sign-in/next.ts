/** Where a person goes after signing in: a page of this application, never another site's. */

/** `next` when it is a path of our own, else the first page. `//host` and `/\host` are other sites to a browser. */
export function nextPage(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
