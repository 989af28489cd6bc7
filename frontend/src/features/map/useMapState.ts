/** View state of the map, stored in the URL. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

import { useParam } from "@/api/scope";
import type { CameraView } from "@/ui/graph/engine";
import type { MapFilters } from "./mapFilters";
import { cameraOf, cameraText, rolesOf, rolesText } from "./viewParams";

const FILTERS = ["fabric", "load", "q", "node", "policy"] as const;
export type FilterName = (typeof FILTERS)[number];

export interface MapState {
  readonly filters: MapFilters;
  readonly table: boolean;
  readonly selected: string | null;
  readonly open: ReadonlySet<string>;
  readonly camera: CameraView | null;
  setFilter(name: FilterName, value: string): void;
  clear(): void;
  setTable(table: boolean): void;
  select(key: string | null): void;
  setOpen(roles: Iterable<string>): void;
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
    open: useMemo(() => rolesOf(open), [open]),
    camera: useMemo(() => cameraOf(cam), [cam]),
    setFilter: (name, value) =>
      change((fresh) => (value === "" ? fresh.delete(name) : fresh.set(name, value))),
    clear: () => change((fresh) => FILTERS.forEach((name) => fresh.delete(name))),
    setTable: (table) => setView(table ? "table" : "map"),
    select: (key) => setSelected(key ?? ""),
    setOpen: (roles) => setOpen(rolesText(roles)),
    setCamera: (camera) => setCam(cameraText(camera)),
  };
}
