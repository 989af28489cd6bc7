/** Another port in the charts of a port: its choice, its history and what there is to say about it. */
import { useQuery } from "@tanstack/react-query";
import { portHistoryQuery, portQuery, type PortHistory } from "@/api/ports/ports";
import { portsList } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Port } from "@/api/types";
import { useNames } from "@/api/useNames";
import classes from "./PortPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { NamePicker } from "@/ui/NamePicker";
import type { Range } from "@/util/time";

export const nameOf = ({ node, name }: Pick<Port, "node" | "name">): string => `${node}:${name}`;

export interface OtherPort {
  /** `sp02:css0`; empty: none is chosen. */
  readonly name: string;
  readonly url: string;
  /** Undefined: none is chosen, or it is not loaded yet. */
  readonly history: PortHistory | undefined;
  /** Why the chosen one is not shown; empty: it is. */
  readonly problem: string;
  /** The id of a port; empty: none. */
  readonly choose: (id: string) => void;
  /** The port of the page, which is not offered. */
  readonly own: Port;
}

/** The port that the URL names, and its history over the same range. */
export function useOtherPort(own: Port, range: Range): OtherPort {
  const [text, choose] = useParam("with", "");
  const id = /^\d+$/.test(text) && Number(text) !== own.id ? Number(text) : null;
  const port = useQuery({ ...portQuery(id ?? 0), enabled: id !== null });
  const history = useQuery({ ...portHistoryQuery(id ?? 0, range), enabled: id !== null });
  const isKnown = id !== null && port.data !== undefined && port.data.id === id;
  return {
    name: isKnown ? nameOf(port.data) : "",
    url: isKnown ? port.data.url : "",
    history: isKnown ? history.data : undefined,
    problem: id === null ? "" : (port.error?.message ?? history.error?.message ?? ""),
    choose,
    own,
  };
}

export function OtherPortPicker({ other: { name, choose, own } }: { other: OtherPort }) {
  const site = useSite()?.name;
  const { names, rows, search } = useNames(portsList, site, (port) =>
    port.id === own.id ? undefined : nameOf(port),
  );
  return (
    <div className={classes.other}>
      <NamePicker
        aria-label="Compare with another port"
        placeholder="Compare with a port"
        value={name}
        names={names}
        onSearch={search}
        onPick={(picked) => choose(String(rows.find((port) => nameOf(port) === picked)?.id ?? ""))}
      />
    </div>
  );
}

export function OtherPortNote({ other: { name, url, problem } }: { other: OtherPort }) {
  if (problem !== "") return <p className="dim">The other port cannot be shown: {problem}</p>;
  if (name === "") return null;
  return (
    <p className="dim">
      Dashed: mean of <Anchor href={url}>{name}</Anchor>, in its own direction of in and out. Clear the port
      to compare with an earlier period.
    </p>
  );
}
