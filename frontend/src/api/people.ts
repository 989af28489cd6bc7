/** The people of a site: who can be on call or own incidents. For operators; the server refuses others. */
import { listQuery } from "@/api/list-query";
import { useNames } from "@/api/useNames";

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
