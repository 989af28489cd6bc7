/** Navigation: groups of pages that unfold, with counts of root causes and of changes awaiting action. */
import { Menu } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useId } from "react";
import { useLocation } from "react-router";
import { countOf, useCounts, type Counts, type PageCount } from "./counts";
import { GROUPS, isHere, soloPage, type RailGroup, type RailPage } from "./pages";
import classes from "./Rail.module.css";
import { Anchor } from "@/ui/Anchor";
import { Icon, type IconName } from "@/ui/Icon";

interface Props {
  /** Icons only; the names remain for assistive technology and as tooltips. */
  folded?: boolean;
  onMove?: () => void;
}

export function Rail({ folded = false, onMove }: Props) {
  const { pathname } = useLocation();
  const counts = useCounts(pathname === "/");
  const [open, setOpen] = useLocalStorage<readonly string[]>({
    key: "backstay.rail-open",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return (
    <nav aria-label="Pages" className={classes.rail} data-folded={folded}>
      <ul>
        {GROUPS.map((group) => {
          const solo = soloPage(group);
          if (solo !== undefined)
            return <Solo key={group.name} page={solo} icon={group.icon} folded={folded} onMove={onMove} />;
          if (folded) return <Flyout key={group.name} group={group} counts={counts} />;
          const isOpen = open.includes(group.name);
          return (
            <Unfolding
              key={group.name}
              group={group}
              counts={counts}
              isOpen={isOpen}
              onToggle={() =>
                setOpen(isOpen ? open.filter((name) => name !== group.name) : [...open, group.name])
              }
              onMove={onMove}
            />
          );
        })}
      </ul>
    </nav>
  );
}

interface SoloProps {
  page: RailPage;
  icon: IconName;
  folded: boolean;
  onMove: (() => void) | undefined;
}

function Solo({ page, icon, folded, onMove }: SoloProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Anchor
        href={page.path}
        className={classes.item}
        title={folded ? page.name : undefined}
        aria-current={isHere(page, pathname) ? "page" : undefined}
        onClick={onMove}
      >
        <Icon name={icon} />
        <span className={folded ? "visually-hidden" : classes.name}>{page.name}</span>
      </Anchor>
    </li>
  );
}

interface GroupProps {
  group: RailGroup;
  counts: Counts;
}

interface UnfoldingProps extends GroupProps {
  isOpen: boolean;
  onToggle: () => void;
  onMove: (() => void) | undefined;
}

/** The group of the current page is always unfolded. */
function Unfolding({ group, counts, isOpen, onToggle, onMove }: UnfoldingProps) {
  const { pathname } = useLocation();
  const list = useId();
  const isCurrent = group.pages.some((page) => isHere(page, pathname));
  const isUnfolded = isOpen || isCurrent;
  return (
    <li>
      <button
        type="button"
        className={classes.item}
        data-current={isCurrent}
        aria-expanded={isUnfolded}
        aria-controls={isUnfolded ? list : undefined}
        aria-disabled={isCurrent}
        onClick={isCurrent ? undefined : onToggle}
      >
        <Icon name={group.icon} />
        <span className={classes.name}>{group.name}</span>
        {!isUnfolded && <GroupCounts group={group} counts={counts} />}
        <span className={classes.arrow} data-open={isUnfolded}>
          <Icon name="down" size={14} />
        </span>
      </button>
      {isUnfolded && (
        <ul id={list} className={classes.pages}>
          {group.pages.map((page) => (
            <li key={page.path}>
              <Anchor
                href={page.path}
                className={classes.page}
                aria-current={isHere(page, pathname) ? "page" : undefined}
                onClick={onMove}
              >
                <span className={classes.name}>{page.name}</span>
                <Count value={countOf(page.path, counts)} />
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** A group of the folded rail: its pages in a menu next to the icon. */
function Flyout({ group, counts }: GroupProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Menu withinPortal={false} floatingStrategy="fixed" position="right-start" offset={4}>
        <Menu.Target>
          <button
            type="button"
            className={classes.item}
            title={group.name}
            data-current={group.pages.some((page) => isHere(page, pathname))}
          >
            <Icon name={group.icon} />
            <span className="visually-hidden">{group.name}</span>
            <GroupCounts group={group} counts={counts} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{group.name}</Menu.Label>
          {group.pages.map((page) => (
            <Menu.Item
              key={page.path}
              component={Anchor}
              href={page.path}
              aria-current={isHere(page, pathname) ? "page" : undefined}
              rightSection={<Count value={countOf(page.path, counts)} />}
            >
              {page.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

function GroupCounts({ group, counts }: GroupProps) {
  return group.pages.map(({ path }) => <Count key={path} value={countOf(path, counts)} />);
}

function Count({ value }: { value: PageCount | undefined }) {
  if (value === undefined) return null;
  const { number, title, text } = value;
  return (
    <span className={classes.count} title={title} data-words={text}>
      {number}
      <span className="visually-hidden"> {text}</span>
    </span>
  );
}
