/** One document of docs/, which the help of a page leads to; loaded when it is opened. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { blocks } from "./blocks";
import { Markdown } from "./Markdown";
import { MissingState } from "@/ui/states/MissingState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";

const FILES = import.meta.glob<string>(
  "../../../../docs/{agent,capacity,deploy,exports,hold-time,maintenance,map,notification-routes,operator,rules,site-file,throughput,tour}.md",
  { query: "?raw", import: "default" },
);

const loaderOf = (name: string) => FILES[`../../../../docs/${name}.md`];

/** Names of the documents that `/help/NAME` shows. */
export const DOCUMENTS: readonly string[] = Object.keys(FILES).map((path) =>
  path.replace(/^.*\/(.*)\.md$/, "$1"),
);

export function HelpPage() {
  const { name = "" } = useParams();
  const load = loaderOf(name);
  const text = useQuery({
    queryKey: ["documents", name],
    queryFn: () => load?.() ?? "",
    enabled: load !== undefined,
    staleTime: Infinity,
  });
  if (load === undefined)
    return (
      <>
        <PageHeader title="Documentation" />
        <MissingState title={`No document named ${name}.`} />
      </>
    );
  return (
    <QueryBoundary query={text} what="the documentation" page="Documentation">
      {(markdown) => {
        const [title, ...rest] = blocks(markdown);
        return (
          <>
            <PageHeader title={title?.kind === "title" ? title.text : "Documentation"} />
            <Panel title="Documentation">
              <Markdown blocks={rest} />
            </Panel>
          </>
        );
      }}
    </QueryBoundary>
  );
}
