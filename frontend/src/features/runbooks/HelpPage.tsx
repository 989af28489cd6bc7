/** One document of docs/, which the help of a page leads to. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { loaderOf } from "./documents";
import { documentTitle, Markdown } from "./Markdown";
import { MissingState } from "@/ui/states/MissingState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";

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
      {(markdown) => (
        <>
          <PageHeader title={documentTitle(markdown) ?? "Documentation"} />
          <Panel title="Documentation">
            <Markdown text={markdown} />
          </Panel>
        </>
      )}
    </QueryBoundary>
  );
}
