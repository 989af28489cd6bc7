/** View state of the map, stored in the URL. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { useParam } from "@/api/scope";
import type { MapFilters } from "./mapFilters";
import type { CameraView } from "@/ui/graph/engine";

const FILTERS = ["fabric", "load", "q", "node", "policy"] as const;
type FilterName = (typeof FILTERS)[number];

export interface MapState {
  readonly filters: MapFilters;
  readonly table: boolean;
  readonly selected: string | null;
  readonly open: ReadonlySet<string>;
  readonly camera: CameraView | null;
  /** Label that groups nodes; empty: the switch that they share. */
  readonly groupBy: string;
  setFilter(name: FilterName, value: string): void;
  clear(): void;
  setTable(table: boolean): void;
  select(key: string | null): void;
  setOpen(groups: Iterable<string>): void;
  /** Opens a group and selects it. */
  expand(id: string, key: string): void;
  /** Closes a group and selects it; with `andFilters` the search and the node, which may have opened it, are cleared. */
  close(id: string, key: string, andFilters: boolean): void;
  setGroupBy(label: string): void;
  setCamera(camera: CameraView | null): void;
}

export function useMapState(): MapState {
  const [params, setParams] = useSearchParams();
  const [view, setView] = useParam<"map" | "table">("view", "map");
  const [selected, setSelected] = useParam<string>("sel", "");
  const [open, setOpen] = useParam<string>("open", "");
  const [cam, setCam] = useParam<string>("cam", "");
  const change = useCallback(
    (edit: (fresh: URLSearchParams) => void) => {
      setParams(
        (old) => {
          const fresh = new URLSearchParams(old);
          edit(fresh);
          return fresh;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  const [fabric, load, search, node, policy] = FILTERS.map((name) => params.get(name) ?? "") as [
    string,
    string,
    string,
    string,
    string,
  ];
  const filters = useMemo<MapFilters>(() => {
    const share = Number(load) / 100;
    return { fabric, load: share > 0 && share <= 1 ? share : 0, search, node, policy };
  }, [fabric, load, search, node, policy]);
  return {
    filters,
    table: view === "table",
    selected: selected === "" ? null : selected,
    open: useMemo(() => groupsOf(open), [open]),
    groupBy: params.get("group") ?? "",
    camera: useMemo(() => cameraOf(cam), [cam]),
    setFilter: (name, value) =>
      change((fresh) => (value === "" ? fresh.delete(name) : fresh.set(name, value))),
    clear: () => change((fresh) => FILTERS.forEach((name) => fresh.delete(name))),
    setTable: (table) => setView(table ? "table" : "map"),
    select: (key) => setSelected(key ?? ""),
    setOpen: (groups) => setOpen(groupsText(groups)),
    expand: (id, key) =>
      change((fresh) => {
        fresh.set("open", groupsText([...groupsOf(fresh.get("open") ?? ""), id]));
        fresh.set("sel", key);
      }),
    close: (id, key, andFilters) =>
      change((fresh) => {
        const rest = groupsText([...groupsOf(fresh.get("open") ?? "")].filter((other) => other !== id));
        if (rest === "") fresh.delete("open");
        else fresh.set("open", rest);
        fresh.set("sel", key);
        if (andFilters) for (const name of ["q", "node"]) fresh.delete(name);
      }),
    setGroupBy: (label) =>
      change((fresh) => {
        // Groups of another kind have other ids.
        fresh.delete("open");
        if (label === "") fresh.delete("group");
        else fresh.set("group", label);
      }),
    setCamera: (camera) => setCam(cameraText(camera)),
  };
}

/** `0.5,0.42,0.3` from a camera; empty for the whole map. */
export function cameraText(camera: CameraView | null): string {
  return camera ? [camera.x, camera.y, camera.ratio].map((part) => Number(part.toFixed(3))).join(",") : "";
}

/** The camera, or null for the whole map and for invalid text. */
export function cameraOf(text: string): CameraView | null {
  const parts = text.split(",").map(Number);
  const [x, y, ratio] = parts;
  if (parts.length !== 3 || x === undefined || y === undefined || ratio === undefined) return null;
  const sane = [x, y].every((part) => Math.abs(part) <= 5) && ratio >= 0.01 && ratio <= 4;
  return sane ? { x, y, ratio } : null;
}

/** Group ids of a comma-separated list; an id contains no comma. */
export function groupsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(",").filter((id) => id !== ""));
}

export function groupsText(ids: Iterable<string>): string {
  return [...new Set(ids)].toSorted().join(",");
}
