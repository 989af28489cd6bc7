/** The current theme, with `system` resolved. */
import { useComputedColorScheme } from "@mantine/core";
import type { Scheme } from "@/ui/ramp";

export function useScheme(): Scheme {
  return useComputedColorScheme("light", { getInitialValueInEffect: false });
}
