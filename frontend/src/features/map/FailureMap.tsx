/** The map under the failures of a capacity study, whose objects fail and work again by a click. */
import { useMemo } from "react";
import type { FailureDetail } from "@/api/models/capacity";
import type { FailedObject, PredictedLoad, Simulation } from "./overlay";
import { SimulatedMap } from "./WhatIfMap";

interface Props {
  site: string;
  /** Null: none yet, so the current state is shown. */
  failure: FailureDetail | null;
  /** Factor of all loads; null: those of another moment, which only the failure's links have. */
  growth: number | null;
  onToggle: (objects: readonly FailedObject[]) => void;
}

export function FailureMap({ site, failure, growth, onToggle }: Props) {
  const simulation = useMemo(
    () => (failure === null ? null : failureSimulation(failure, growth)),
    [failure, growth],
  );
  const names = failure?.failed.map(({ name }) => name).join(", ") ?? "";
  const label = names === "" ? "The site without a failure" : `The site when ${names} fails`;
  return <SimulatedMap site={site} simulation={simulation} label={label} onToggle={onToggle} />;
}

/** The failure as the map draws it. The API names only the first nodes of each kind on large sites. */
export function failureSimulation(failure: FailureDetail, others: number | null): Simulation {
  const loads = new Map<number, { forward?: PredictedLoad; back?: PredictedLoad }>();
  for (const { link, direction, after_bps, utilisation } of failure.links)
    loads.set(link, { ...loads.get(link), [direction]: { bps: after_bps, utilisation } });
  const named = (outcome: FailureDetail["moves"][number]["outcome"]): string[] =>
    failure.moves.filter((move) => move.outcome === outcome).flatMap(({ names }) => names);
  return {
    failed: failure.failed,
    cutOff: [...failure.cut_off, ...named("cut_off"), ...named("undetected")],
    looping: named("loop"),
    moved: named("moved"),
    loads,
    others,
  };
}
