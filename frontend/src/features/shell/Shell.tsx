/** Frame of every page: navigation, top bar, banners, search and the live stream of the site. */
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { Outlet } from "react-router";
import { useLiveStream } from "@/api/connection";
import { useSite } from "@/api/scope";
import { rememberDisplayed } from "@/api/site-memory";
import { Announcer } from "./Announcer";
import { ConfirmBars } from "./ConfirmBar";
import { StaleBanner } from "./LiveChip";
import { Palette } from "./Palette";
import { Rail } from "./Rail";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";
import { useShortcuts } from "./useShortcuts";
import { Dialog } from "@/ui/Dialog";
import { Icon } from "@/ui/Icon";
import { Notices } from "@/ui/Notices";

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
  const [searching, setSearching] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts(() => setSearching(true));
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
        <TopBar onMenu={() => setMenu(true)} onSearch={() => setSearching(true)} />
        <StaleBanner />
        <ConfirmBars />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
      </div>
      <Dialog open={menu} onClose={() => setMenu(false)} label="Pages" side>
        <Rail onMove={() => setMenu(false)} />
      </Dialog>
      <Dialog open={searching} onClose={() => setSearching(false)} label="Find">
        <Palette onDone={() => setSearching(false)} />
      </Dialog>
      <Announcer />
      <Notices />
    </div>
  );
}
