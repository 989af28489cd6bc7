/** Frame of every page: navigation, top bar, banners, search and the live stream of the site. */
import { Drawer } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { useCallback, useEffect, useRef, useState } from "react";
import { Outlet, useLocation, useRouteError, useNavigate } from "react-router";
import { useLiveStream } from "@/api/connection";
import { useSite, carry } from "@/api/scope";
import { rememberDisplayed } from "@/api/site-memory";
import { asApiError } from "@/api/problem";
import { DeliveryHint, EvaluationBanner, FreshnessBanner, PastBanner } from "./Banners";
import { ConfirmBars } from "./ConfirmBar";
import { Shortcuts } from "./Help";
import { MissingObject } from "./missing";
import { Rail } from "./Rail";
import { openSearch, Search } from "./Search";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";
import { PAGES } from "./pages";
import { ConfirmDialog } from "@/ui/confirm";
import { Icon } from "@/ui/Icon";
import { Anchor } from "@/ui/Anchor";
import { ErrorState } from "@/ui/ErrorState";
import { MissingState, SearchContext } from "@/ui/states/MissingState";
import { PageHeader } from "@/ui/PageHeader";

function useLiveSite(): void {
  const stream = useLiveStream();
  const name = useSite()?.name;
  useEffect(() => {
    if (name === undefined) return undefined;
    rememberDisplayed(name);
    stream.follow(name);
    return () => stream.stop();
  }, [stream, name]);
}

export function Shell() {
  useLiveSite();
  const [folded, setFolded] = useLocalStorage({ key: "backstay.rail-folded", defaultValue: false });
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const [searched, setSearched] = useState("");
  const searchFor = useCallback((text: string) => {
    setSearched(text);
    openSearch();
  }, []);
  const [areShortcutsOpen, setShortcutsOpen] = useState(false);
  const showShortcuts = useCallback(() => setShortcutsOpen(true), []);
  useShortcuts(openSearch, showShortcuts);
  return (
    <div className={classes.shell} data-folded={folded}>
      <a className={classes.skip} href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <span className={folded ? "visually-hidden" : ""}>Backstay</span>
        </div>
        <Rail folded={folded} />
        <button
          type="button"
          className={classes.fold}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          <Icon name={folded ? "unfold" : "fold"} size={16} />
          <span className={folded ? "visually-hidden" : ""}>{folded ? "Expand the menu" : "Collapse"}</span>
        </button>
      </aside>
      <div className={classes.body}>
        <TopBar onMenu={() => setMenu(true)} onSearch={openSearch} onShortcuts={showShortcuts} />
        <PastBanner />
        <FreshnessBanner />
        <EvaluationBanner />
        <DeliveryHint />
        <ConfirmBars />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <SearchContext value={searchFor}>
            <Outlet />
          </SearchContext>
        </main>
      </div>
      <Drawer
        opened={menu}
        onClose={() => setMenu(false)}
        attributes={{ content: { "aria-label": "Pages" } }}
        withCloseButton={false}
        size={240}
        padding={0}
        lockScroll={false}
      >
        <Rail onMove={() => setMenu(false)} />
      </Drawer>
      <Search text={searched} onText={setSearched} />
      <Shortcuts opened={areShortcutsOpen} onClose={() => setShortcutsOpen(false)} />
      <Announcer />
      <ConfirmDialog />
      <Notifications position="bottom-center" limit={4} />
    </div>
  );
}

/** Announces a page change to assistive technology and focuses the heading. */
function Announcer() {
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

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="Page not found" headline={`There is no page at ${pathname}.`} />
      <MissingState title="The address may be mistyped, or the object was deleted.">
        <p>
          Press Ctrl K to find a node or link by name, or open the <Anchor href="/">Overview</Anchor>.
        </p>
      </MissingState>
    </>
  );
}

export function RouteError() {
  const error = useRouteError();
  if (error instanceof MissingObject)
    return (
      <>
        <PageHeader title="Not found" />
        <MissingState title={error.message} name={error.text}>
          <p>
            Choose from <Anchor href={error.list}>all of them</Anchor>, or search by name.
          </p>
        </MissingState>
      </>
    );
  const { message } = asApiError(error);
  return (
    <ErrorState
      title="This page cannot be displayed"
      message={message}
      onRetry={() => globalThis.location.reload()}
    />
  );
}

const SEQUENCE_MS = 1200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

function useShortcuts(onSearch: () => void, onList: () => void): void {
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
      else if (event.key === "?") onList();
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
  }, [navigate, onSearch, onList, search]);
}
