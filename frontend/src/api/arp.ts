/** Queries and mutations of ARP policies, and their types. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { fetchPage, listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type AddressMismatch = Schemas["AddressMismatchOut"];
export type ArpFabric = Schemas["ArpFabricOut"];
export type ArpPolicy = Schemas["ArpPolicyOut"];
export type ArpPolicyIn = Schemas["ArpPolicyIn"];
export type ArpRule = Schemas["ArpRuleOut"];
export type ArpRuleLine = Schemas["ArpRuleLine"];
export type ArpSetting = Schemas["ArpSettingOut"];
export type ArpPlan = Schemas["ArpPlanOut"];

/** Nodes report each ARP change; a fabric's members change with imports only. */
const EVERY_MS = 5000;

const FABRICS = "/api/v1/arp-policies/fabrics";
export const arpFabricsList = listQuery("arp-policies", FABRICS, { every: EVERY_MS });

/** The fabric of this name, or null. */
export const arpFabricQuery = (site: string, fabric: string) =>
  queryOptions({
    queryKey: ["arp-policies", site, "fabric", fabric],
    queryFn: async () => (await fetchPage(FABRICS, { site, fabric }, { cursor: "" })).items[0] ?? null,
    refetchInterval: EVERY_MS,
  });

export const arpRuleQuery = (site: string, fabric: string) =>
  queryOptions({
    queryKey: ["arp-policies", site, "rule", fabric],
    queryFn: () => unwrap(client.GET("/api/v1/arp-policies/rule", { params: { query: { site, fabric } } })),
  });

export const arpSettingsQuery = () =>
  queryOptions({
    queryKey: ["arp-settings"],
    queryFn: () => unwrap(client.GET("/api/v1/arp-policies/settings")),
    staleTime: Infinity,
  });

/** Deletes a policy that no node applies; the server refuses any other and names the prerequisite. */
export function useRemoveArp(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.DELETE("/api/v1/arp-policies/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["arp-policies"] });
      onDone();
    },
  });
}

/** Saves a fabric's policy; creates one without `id`. Does not change any node. */
export function useKeepArp(onDone: (policy: ArpPolicy) => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: ({ id, body }: { id: number | null; body: ArpPolicyIn }) =>
      id === null
        ? unwrap(client.POST("/api/v1/arp-policies", { body }))
        : unwrap(client.PUT("/api/v1/arp-policies/{id}", { params: { path: { id } }, body })),
    onSuccess: (policy) => {
      void queries.invalidateQueries({ queryKey: ["arp-policies"] });
      onDone(policy);
    },
  });
}
