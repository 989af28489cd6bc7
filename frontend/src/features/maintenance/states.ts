/** Labels and colours of the states of a maintenance window. */
import { progressLabels, progressTone } from "@/ui/progress";

export const stateLabels = progressLabels("maintenance_window");
export const stateTone = progressTone("maintenance_window");
