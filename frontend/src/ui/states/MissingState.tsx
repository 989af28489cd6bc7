/** There is no such object: says which one, and offers the search and the list of what there is. */
import { Button } from "@mantine/core";
import { createContext, useContext, type ReactNode } from "react";
import classes from "@/ui/ErrorState.module.css";

/** Opens the search with a text; the frame of the pages provides it. */
export const SearchContext = createContext<((text: string) => void) | null>(null);

interface Props {
  /** `No device named grf9.` */
  title: string;
  /** What is searched for; empty: the search is opened without a text. */
  name?: string;
  children?: ReactNode;
}

export function MissingState({ title, name = "", children }: Props) {
  const openSearch = useContext(SearchContext);
  return (
    <section className={classes.box} role="alert">
      <h2>{title}</h2>
      {children}
      {openSearch !== null && (
        <Button size="xs" variant="default" onClick={() => openSearch(name)}>
          {name === "" ? "Search" : `Search for ${name}`}
        </Button>
      )}
    </section>
  );
}
