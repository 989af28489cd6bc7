/** Headline of a fabric: state, conflicting links and counters that need attention. Pure. */
import type { FabricDetail } from "@/api/types";
import { count } from "@/util/units";

type FabricSummary = Pick<FabricDetail, "state_text" | "counters" | "contradicted_links">;

export function fabricHeadline({ state_text, counters, contradicted_links }: FabricSummary): string {
  const bad = counters
    .filter(({ state }) => state === "warning" || state === "critical")
    .map(({ title }) => `“${title}”`);
  const named = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const cables =
    contradicted_links === 0 ? "" : ` ${count(contradicted_links, "link")} in conflict with device reports.`;
  const worth = named === "" ? "" : ` Needs attention: ${named}.`;
  return `${state_text.charAt(0).toUpperCase()}${state_text.slice(1)}.${cables}${worth}`;
}
