/** Queries and mutations of circuits, and their types. */
import { queryOptions, useMutation } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Circuit = Schemas["CircuitOut"];
export type CircuitHop = Schemas["CircuitHop"];
export type CircuitVersion = Schemas["CircuitVersionOut"];
export type CircuitSide = Schemas["CircuitSide"];
export type CircuitPlan = Schemas["CircuitPlanOut"];
export type CircuitPlanIn = Schemas["CircuitPlanIn"];
export type CircuitSize = Schemas["CircuitSize"];
export type HandOver = Schemas["HandOverOut"];

/** Circuit states change with each device report. */
const EVERY_MS = 5000;

export const circuitsList = listQuery("circuits", "/api/v1/circuits", { every: EVERY_MS });

/** Versions of circuits: all of one, or all in force at a time. Only imports change them. */
export const circuitHistory = listQuery("circuits", "/api/v1/circuits/history");

export const circuitQuery = (id: number) =>
  queryOptions({
    queryKey: ["circuits", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/circuits/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

/** Plans circuits without storing them; the form shows a refusal. */
export const usePlan = () =>
  useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: CircuitPlanIn) => unwrap(client.POST("/api/v1/circuits/plan", { body })),
  });

/** Merges a router's circuits into its present configuration file. */
export const useHandOver = () =>
  useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { site: string; node: string; current: string }) =>
      unwrap(client.POST("/api/v1/circuits/hand-over", { body })),
  });
