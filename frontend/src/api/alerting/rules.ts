/** Queries and changes of alert rules, their overrides, and metric limits. */
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Rule = Schemas["RuleOut"];
export type RuleIn = Schemas["RuleIn"];
export type RuleParameter = Schemas["RuleParameterOut"];
export type RuleOverride = Schemas["RuleOverrideOut"];
export type RuleOverrideIn = Schemas["RuleOverrideIn"];
export type RulePreview = Schemas["RulePreviewOut"];
export type Unmeasured = Schemas["UnmeasuredOut"];
export type MetricLimit = Schemas["MetricLimitOut"];
export type MetricLimitIn = Schemas["MetricLimitIn"];

export type PortRule = Schemas["EffectiveRuleOut"];
export type EffectiveValue = Schemas["EffectiveValueOut"];

export const rulesList = listQuery("rules", "/api/v1/rules");
export const metricLimitsList = listQuery("rules", "/api/v1/metric-limits");

/** What applies to one port, of every rule, and where each value comes from. */
export const portRulesList = (port: number) => listQuery("rules", "/api/v1/ports/{id}/rules", { id: port });

export const ruleQuery = (site: string, kind: string) =>
  queryOptions({
    queryKey: ["rules", site, kind],
    queryFn: () =>
      unwrap(client.GET("/api/v1/rules/{kind}", { params: { path: { kind }, query: { site } } })),
  });

export const overridesQuery = (site: string, kind: string) =>
  queryOptions({
    queryKey: ["rules", site, kind, "overrides"],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/rules/{kind}/overrides", {
          params: { path: { kind }, query: { site, limit: 500 } },
        }),
      ),
  });

export const unmeasuredQuery = (site: string, kind: string) =>
  queryOptions({
    queryKey: ["unmeasured", site, kind],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/rules/{kind}/unmeasured", {
          params: { path: { kind }, query: { site, limit: 100 } },
        }),
      ),
    refetchInterval: 60_000,
  });

const refetch = (queries: QueryClient) => void queries.invalidateQueries({ queryKey: ["rules"] });

/** Saves settings of the whole site, or of a part of it. */
export function useSaveRule(kind: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: async (body: RuleOverrideIn) => {
      const params = { path: { kind } };
      if (body.scope !== "site")
        return unwrap(client.POST("/api/v1/rules/{kind}/overrides", { params, body }));
      const { site, enabled, severity, parameters } = body;
      return unwrap(
        client.PUT("/api/v1/rules/{kind}", {
          params,
          body: { site, enabled: enabled ?? null, severity: severity ?? null, parameters },
        }),
      );
    },
    onSuccess: () => {
      refetch(queries);
      onDone();
    },
  });
}

export function useRemoveOverride() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.DELETE("/api/v1/rule-overrides/{id}", { params: { path: { id } } })),
    onSuccess: () => refetch(queries),
  });
}

/** How often settings would have opened an incident; stores nothing. */
export function usePreviewRule(kind: string) {
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: RuleOverrideIn) =>
      unwrap(client.POST("/api/v1/rules/{kind}/preview", { params: { path: { kind } }, body })),
  });
}

/** Saves a metric limit; creates one without `id`. */
export function useSaveLimit(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: ({ id, body }: { id: number | null; body: MetricLimitIn }) =>
      id === null
        ? unwrap(client.POST("/api/v1/metric-limits", { body }))
        : unwrap(client.PUT("/api/v1/metric-limits/{id}", { params: { path: { id } }, body })),
    onSuccess: () => {
      refetch(queries);
      onDone();
    },
  });
}

export function useRemoveLimit() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.DELETE("/api/v1/metric-limits/{id}", { params: { path: { id } } })),
    onSuccess: () => refetch(queries),
  });
}

export function usePreviewLimit() {
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: MetricLimitIn) => unwrap(client.POST("/api/v1/metric-limits/preview", { body })),
  });
}
