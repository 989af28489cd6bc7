/** Announces a page change to assistive technology and focuses the heading. */
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

export function Announcer() {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (before.current === pathname) return undefined;
    before.current = pathname;
    // A lazily loaded page sets its title a moment later.
    const timer = setTimeout(() => {
      setMessage(document.title);
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }, 150);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {message}
    </p>
  );
}
