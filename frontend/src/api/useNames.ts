/** Suggestions from a long list of names, searched by the server. */
import { useState } from "react";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { listQuery, rowsOf, type ListQuery } from "@/api/list-query";

const TYPING_PAUSE_MS = 200;
const MOST_NAMES = 20;

interface Search {
  q?: string | null;
  sort?: string | null;
  limit?: number;
}

export function useNames<T>(
  list: ListQuery<T, Search>,
  site: string | undefined,
  /** Undefined: not selectable. */
  nameOf: (row: T) => string | undefined,
  sort = "name",
): { names: string[]; rows: T[]; search: (text: string) => void } {
  const [text, search] = useState("");
  const [q] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const wanted = { sort, limit: MOST_NAMES, ...(q === "" ? {} : { q }) };
  const { data } = useInfiniteQuery({ ...list(site ?? "", wanted), enabled: site !== undefined });
  const rows = rowsOf(data);
  return { names: [...new Set(rows.flatMap((row) => nameOf(row) ?? []))], rows, search };
}

/** Who can be on call or own incidents; for operators, the server refuses others. */
const peopleList = listQuery("people", "/api/v1/people");

interface Person {
  readonly name: string;
}
const nameOf = ({ name }: Person): string => name;

/** User names that match what `onSearch` was called with. */
export function usePeople(site: string): { names: string[]; onSearch: (text: string) => void } {
  const { names, search } = useNames(peopleList, site, nameOf);
  return { names, onSearch: search };
}
