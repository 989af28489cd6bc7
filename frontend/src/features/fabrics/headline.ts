/** What is true of a fabric right now, in one sentence. Pure. */
import type { FabricDetail } from "@/api/types";
import { count } from "@/util/units";

type Told = Pick<FabricDetail, "state_text" | "counters" | "contradicted_links">;

export function fabricHeadline({ state_text, counters, contradicted_links }: Told): string {
  const bad = counters
    .filter(({ state }) => state === "warning" || state === "critical")
    .map(({ title }) => `“${title}”`);
  const named = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const cables =
    contradicted_links === 0
      ? ""
      : ` ${count(contradicted_links, "link")} contradicted by what its devices say.`;
  const worth = named === "" ? "" : ` Worth a look: ${named}.`;
  return `${state_text.charAt(0).toUpperCase()}${state_text.slice(1)}.${cables}${worth}`;
}
