/** Tells assistive technology that another page is shown, and puts the focus at its heading. */
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

export function Announcer() {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (before.current === pathname) return undefined;
    before.current = pathname;
    // The page's own title is set when it is drawn, which a lazily loaded one is a moment later.
    const timer = setTimeout(() => {
      setWords(document.title);
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }, 150);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {words}
    </p>
  );
}
