/** Ctrl-K or / opens the search, g and the key of a page opens it; not while typing. */
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { carry } from "@/api/scope";
import { PAGES } from "./pages";

const SEQUENCE_MS = 1200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

export function useShortcuts(onSearch: () => void): void {
  const navigate = useNavigate();
  const { search } = useLocation();
  const goAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onSearch();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const page = PAGES.find(({ key }) => key === event.key);
      if (event.key === "g") goAt.current = event.timeStamp;
      else if (event.key === "/") {
        event.preventDefault();
        onSearch();
      } else if (page !== undefined && event.timeStamp - goAt.current < SEQUENCE_MS) {
        goAt.current = 0;
        void navigate(carry(page.path, search));
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate, onSearch, search]);
}
