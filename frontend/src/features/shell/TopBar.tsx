/** Top bar: site, search, time range, live state, theme and session. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { sitesQuery } from "@/api/queries";
import { useRange, useSite } from "@/api/scope";
import { rememberChosen } from "@/api/site-memory";
import type { Site } from "@/api/types";
import { LiveChip } from "./LiveChip";
import { ScaleChip } from "./ScaleChip";
import { ThemeSwitch } from "./ThemeSwitch";
import classes from "./TopBar.module.css";
import { UserMenu } from "./UserMenu";
import { Icon } from "@/ui/Icon";
import { TimeRange } from "@/ui/TimeRange";

interface Props {
  onMenu: () => void;
  onSearch: () => void;
}

export function TopBar({ onMenu, onSearch }: Props) {
  const site = useSite();
  const [range, setRange] = useRange();
  return (
    <header className={classes.bar}>
      <button type="button" className={classes.menu} aria-label="Open the menu" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <SiteSwitch site={site} />
      {site !== undefined && site.rate_scale !== 1 && <ScaleChip scale={site.rate_scale} />}
      <button type="button" className={classes.search} onClick={onSearch}>
        <Icon name="search" size={16} />
        <span className={classes.searchText}>Find a node, link or page</span>
        <kbd className={classes.keys}>Ctrl K</kbd>
      </button>
      <div className={classes.right}>
        <TimeRange range={range} onChange={setRange} />
        <LiveChip />
        <ThemeSwitch />
        <UserMenu />
      </div>
    </header>
  );
}

function SiteSwitch({ site }: { site: Site | undefined }) {
  const { data: sites = [] } = useQuery(sitesQuery);
  const [, setParams] = useSearchParams();
  if (site === undefined) return <span className={classes.site}>…</span>;
  if (sites.length < 2) {
    return (
      <span className={classes.site} title={site.title}>
        <span className="visually-hidden">Site </span>
        {site.name}
      </span>
    );
  }
  return (
    <NativeSelect
      aria-label="Site"
      size="xs"
      value={site.name}
      data={sites.map(({ name }) => name)}
      onChange={(event) => {
        const name = event.currentTarget.value;
        rememberChosen(name);
        setParams((old) => new URLSearchParams({ ...Object.fromEntries(old), site: name }));
      }}
    />
  );
}
