/** Top bar: site, search, time range, live state, theme and session. */
import { NativeSelect, Popover, Menu, useMantineColorScheme } from "@mantine/core";
import { useQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearchParams, useNavigate } from "react-router";
import { sitesQuery, sessionQuery } from "@/api/queries";
import { carry, usePast, useRange, useSite } from "@/api/scope";
import { rememberChosen, forgetSite } from "@/api/site-memory";
import type { Site } from "@/api/types";
import { client, unwrap } from "@/api/client";
import { HelpPopover } from "./Help";
import { LiveChip } from "./LiveChip";
import { WITH_PAST } from "./pages";
import classes from "./TopBar.module.css";
import { contrastChoice } from "@/ui/contrast";
import { Icon, type IconName } from "@/ui/Icon";
import { TimeRange } from "@/ui/time/TimeRange";

interface Props {
  onMenu: () => void;
  onSearch: () => void;
  onShortcuts: () => void;
}

export function TopBar({ onMenu, onSearch, onShortcuts }: Props) {
  const site = useSite();
  const [range, setRange] = useRange();
  const { pathname } = useLocation();
  const isPast = usePast() !== null && WITH_PAST.has(pathname);
  return (
    <header className={classes.bar} data-print="none">
      <button type="button" className={classes.menu} aria-label="Open the menu" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <SiteSwitch site={site} />
      {site !== undefined && site.rate_scale !== 1 && <ScaleChip scale={site.rate_scale} />}
      <button type="button" className={classes.search} onClick={onSearch}>
        <Icon name="search" size={16} />
        <span className={classes.searchText}>Find a node, address or page</span>
        <kbd className={classes.keys}>Ctrl K</kbd>
      </button>
      <div className={classes.right}>
        <TimeRange range={range} onChange={setRange} />
        {!isPast && <LiveChip />}
        <HelpPopover buttonClass={classes.icon} onShortcuts={onShortcuts} />
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

/** Rate scale of a lab. */
function ScaleChip({ scale }: { scale: number }) {
  return (
    <Popover width={280} withinPortal={false} position="bottom-start">
      <Popover.Target>
        <button type="button" className={classes.scale}>
          lab {formatScale(scale)}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p>
          This site is a lab. Its links are shaped to {formatScale(scale)} of the rates of the real media so
          that it fits on one machine. Rates, capacities and thresholds are those of the lab; utilisation is
          as on the real network.
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

/** `scale` multiplies the real rates: 0.1 is `1:10`, 2 is `2:1`. */
export function formatScale(scale: number): string {
  const round = (value: number) => String(Math.round(value * 100) / 100);
  return scale < 1 ? `1:${round(1 / scale)}` : `${round(scale)}:1`;
}

const CHOICES = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "auto", label: "System", icon: "screen" },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

/** Light, dark or system theme, and high contrast; stored in this browser. */
function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const chosen = CHOICES.find(({ value }) => value === colorScheme) ?? CHOICES[2];
  const isStrong = contrastChoice.get() === "more";
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={classes.icon}
          aria-label={`Theme: ${chosen.label}`}
          title={`Theme: ${chosen.label}`}
        >
          <Icon name={chosen.icon} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} size={16} />}
            aria-current={value === colorScheme ? "true" : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={isStrong}
          onChange={(strong) => contrastChoice.set(strong ? "more" : "normal")}
        >
          High contrast
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const { data: person } = useQuery(sessionQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const signOut = useMutation({
    mutationFn: () => unwrap(client.DELETE("/api/v1/session")),
    onSuccess: () => {
      forgetSite();
      queries.clear();
      void navigate("/sign-in");
    },
  });
  if (person == null) return null;
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={classes.icon}
          aria-label={`Signed in as ${person.username}`}
          title={`Signed in as ${person.username}`}
        >
          <Icon name="person" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.name || person.username} · {person.role}
        </Menu.Label>
        <Menu.Item onClick={() => void navigate(carry("/notifications/push", search))}>
          Push on this device
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
