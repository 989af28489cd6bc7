/** Search for every object, page, document and action, opened by Ctrl-K. */
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue, useLocalStorage } from "@mantine/hooks";
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, type KeyboardEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { searchQuery, sessionQuery } from "@/api/queries";
import { asApiError } from "@/api/problem";
import { carry, useSite } from "@/api/scope";
import { find, localTargets, reportOf, targetOf, themeOf, withRecent, type Target } from "./targets";
import "@mantine/spotlight/styles.css";

const [store, search] = createSpotlight();

const LIST = "search-results";
/** Between the last key and the question to the server. */
const PAUSE_MS = 40;
const MOST_LOCAL = 6;
const NONE: Target[] = [];

/** Recent choices if nothing is typed, then pages; otherwise what the browser and the server find. */
function useTargets(text: string) {
  const site = useSite()?.name ?? "";
  const { opened } = useSpotlight(store);
  const [paused] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data: person } = useQuery({ ...sessionQuery, enabled: opened });
  const answer = useQuery({ ...searchQuery(site, paused), enabled: opened && site !== "" && paused !== "" });
  const [recents, setRecents] = useLocalStorage<Target[]>({
    key: `backstay.search-recents.${site}`,
    defaultValue: NONE,
  });
  const canOperate = person?.role !== "viewer";
  const local = useMemo(
    () => find(localTargets(canOperate), text, text.trim() === "" ? 12 : MOST_LOCAL),
    [canOperate, text],
  );
  const isCurrent = paused === text.trim();
  const items = isCurrent && paused !== "" ? (answer.data?.items ?? []) : [];
  const objects = items.flatMap((item) => [targetOf(item), ...reportOf(item)]);
  const isByAddress = items[0]?.why.includes("address") ?? false;
  const found =
    text.trim() === ""
      ? [...recents, ...local.filter(({ url }) => recents.every((recent) => recent.url !== url))]
      : isByAddress
        ? [...objects, ...local]
        : [...local, ...objects];
  return {
    found,
    isPending: text.trim() !== "" && (!isCurrent || answer.isFetching),
    error: isCurrent && answer.isError ? asApiError(answer.error).message : undefined,
    choose: (chosen: Target) => setRecents(withRecent(recents, chosen)),
  };
}

interface Props {
  /** What is searched for, which a page may set. */
  text: string;
  onText: (text: string) => void;
  /** Opens the dialog when it rises. */
  opening: number;
}

export function Search({ text, onText, opening }: Props) {
  useEffect(() => {
    if (opening > 0) search.open();
  }, [opening]);
  const site = useSite();
  const { selected } = useSpotlight(store);
  const { found, isPending, error, choose } = useTargets(text);
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const navigate = useNavigate();
  const { search: params } = useLocation();
  const open = (target: Target) => {
    choose(target);
    const theme = themeOf(target);
    if (theme === undefined) void navigate(carry(target.url, params));
    else setColorScheme(theme);
  };
  /** The library selects the first result when the text changes; those of the server arrive later. */
  const openFirst = ({ key, nativeEvent }: KeyboardEvent) => {
    const first = found[Math.max(0, selected)] ?? found[0];
    const isSelected = document.querySelector(`[role="option"][data-selected]`) !== null;
    if (key !== "Enter" || nativeEvent.isComposing || isSelected || first === undefined) return;
    search.close();
    open(first);
  };
  const status =
    error === undefined
      ? isPending
        ? "Searching…"
        : found.length === 0
          ? `No match for “${text}” at ${site?.name ?? "this site"}.`
          : ""
      : `Only pages and actions were searched: ${error}`;
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={onText}
      shortcut={null}
      lockScroll={false}
      scrollable
      maxHeight="min(70vh, 560px)"
      transitionProps={{ duration: 0 }}
      attributes={{ content: { "aria-label": "Search" } }}
    >
      <Spotlight.Search
        role="combobox"
        onKeyDown={openFirst}
        aria-expanded="true"
        aria-controls={LIST}
        aria-activedescendant={found.length > 0 ? `${LIST}-${Math.max(0, selected)}` : undefined}
        aria-label="Find a node, address, page or action"
        placeholder="Find a node, address, page or action"
      />
      <Spotlight.ActionsList id={LIST} role="listbox" aria-label="Results">
        {found.map((target, index) => (
          <Spotlight.Action
            key={`${target.kind} ${target.name} ${target.url}`}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === Math.max(0, selected)}
            label={target.name}
            description={target.detail}
            onClick={() => open(target)}
          />
        ))}
      </Spotlight.ActionsList>
      <div role="status">{status !== "" && <Spotlight.Empty>{status}</Spotlight.Empty>}</div>
    </Spotlight.Root>
  );
}
