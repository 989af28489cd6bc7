/** Queries of clocks, and their types. */
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Clock = Schemas["ClockOut"];
export type ClockPoint = Schemas["ClockPoint"];

/** Agents report a clock step within one interval. */
const EVERY_MS = 3000;

export const clocksList = listQuery("clocks", "/api/v1/clocks", { every: EVERY_MS });
