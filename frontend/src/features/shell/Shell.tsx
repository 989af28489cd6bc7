/** Frame of every page: navigation, top bar, banners, search and the live stream of the site. */
import { Drawer } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { useLiveStream } from "@/api/connection";
import { useSite } from "@/api/scope";
import { rememberDisplayed } from "@/api/site-memory";
import { ConfirmBars } from "./ConfirmBar";
import { StaleBanner } from "./LiveChip";
import { Rail } from "./Rail";
import { openSearch, Search } from "./Search";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";
import { useShortcuts } from "./useShortcuts";
import { ConfirmDialog } from "@/ui/confirm";
import { Icon } from "@/ui/Icon";

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
  useShortcuts(openSearch);
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
        <TopBar onMenu={() => setMenu(true)} onSearch={openSearch} />
        <StaleBanner />
        <ConfirmBars />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
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
      <Search />
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
