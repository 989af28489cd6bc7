/** Questions about clocks, and the types of their answers. */
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Clock = Schemas["ClockOut"];
export type ClockPoint = Schemas["ClockPoint"];

/** A clock step is reported within an interval. */
const EVERY_MS = 3000;

export const clocksList = listQuery("clocks", "/api/v1/clocks", { every: EVERY_MS });
