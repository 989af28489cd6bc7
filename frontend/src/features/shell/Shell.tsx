/** Frame of every page: navigation, top bar, banners, search and the live stream of the site. */
import { Drawer } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import {
  createElement,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentType,
} from "react";
import { Outlet, useLocation, useNavigate, useRouteError, useSearchParams } from "react-router";
import { useLiveStream } from "@/api/connection";
import { useSite, carry } from "@/api/scope";
import { rememberDisplayed } from "@/api/site-memory";
import { asApiError } from "@/api/problem";
import { DeliveryHint, EvaluationBanner, FreshnessBanner, PastBanner } from "./Banners";
import { ConfirmBars } from "./ConfirmBar";
import { Shortcuts } from "./Help";
import { MissingObject } from "./missing";
import { Rail } from "./Rail";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";
import { PAGES } from "./pages";
import { ConfirmDialog } from "@/ui/confirm";
import { Icon } from "@/ui/Icon";
import { Anchor } from "@/ui/Anchor";
import { ErrorState } from "@/ui/ErrorState";
import { MissingState, SearchContext } from "@/ui/states/MissingState";
import { PageHeader } from "@/ui/PageHeader";

const loadSearch = () => import("./Search").then(({ Search }) => Search);
const loadNotifications = () =>
  Promise.all([import("@mantine/notifications"), import("@mantine/notifications/styles.css")]).then(
    ([{ Notifications }]) => Notifications,
  );
const Tour = lazy(() => import("./Tour").then((module) => ({ default: module.Tour })));

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
  const [opening, setOpening] = useState(0);
  const openSearch = useCallback(() => setOpening((before) => before + 1), []);
  const searchFor = useCallback(
    (text: string) => {
      setSearched(text);
      openSearch();
    },
    [openSearch],
  );
  const [areShortcutsOpen, setShortcutsOpen] = useState(false);
  const showShortcuts = useCallback(() => setShortcutsOpen(true), []);
  useShortcuts(openSearch, showShortcuts);
  return (
    <div className={classes.shell} data-print="flow" data-folded={folded}>
      <a className={classes.skip} href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <aside data-print="none" className={classes.side}>
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
      <div className={classes.body} data-print="flow">
        <TopBar onMenu={() => setMenu(true)} onSearch={openSearch} onShortcuts={showShortcuts} />
        <PastBanner />
        <FreshnessBanner />
        <EvaluationBanner />
        <DeliveryHint />
        <ConfirmBars />
        <main id="main" ref={main} tabIndex={-1} className={classes.main} data-print="flow">
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
      <Deferred
        load={loadSearch}
        isWanted={opening > 0}
        props={opening > 0 ? { text: searched, onText: setSearched, opening } : null}
      />
      <Shortcuts opened={areShortcutsOpen} onClose={() => setShortcutsOpen(false)} />
      <OnTour />
      <Announcer />
      <ConfirmDialog />
      <Deferred load={loadNotifications} isWanted={false} props={{ position: "bottom-center", limit: 4 }} />
    </div>
  );
}

/** After the first page, and before somebody could want the part or the server could be lost. */
const REST_MS = 4000;
const AGAIN_MS = 5000;

interface DeferredProps<P> {
  /** The same function at each render. A load that fails is tried again. */
  load: () => Promise<ComponentType<P>>;
  /** Loaded at once, not only soon after the page was drawn. */
  isWanted: boolean;
  /** Null: it is loaded, but not rendered. */
  props: P | null;
}

/**
 * A part of the page that the first one does not need, loaded a moment later. Not React's `lazy`: a load that fails would
 * replace the whole page.
 */
export function Deferred<P extends object>({ load, isWanted, props }: DeferredProps<P>) {
  const [loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      load().then(
        (component) => isGone || setLoaded(() => component),
        () => isGone || (timer = setTimeout(attempt, AGAIN_MS)),
      );
    timer = setTimeout(attempt, isWanted ? 0 : REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, isWanted]);
  return loaded === null || props === null ? null : createElement(loaded, props);
}

/** The card of the tour, which is loaded only by those who take it. */
function OnTour() {
  const [params] = useSearchParams();
  if (!params.has("tour")) return null;
  return (
    <Suspense fallback={null}>
      <Tour />
    </Suspense>
  );
}

/** Announces a page change to assistive technology and focuses the heading. */
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
      // Whoever has begun to type meanwhile goes on.
      if (document.activeElement?.matches("main :is(input, textarea, select)")) return;
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
