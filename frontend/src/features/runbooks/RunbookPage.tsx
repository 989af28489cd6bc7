/** One runbook of docs/runbooks: meaning of a root cause, verification, and remedy. */
import { useParams } from "react-router";
import { Markdown } from "./Markdown";
import { runbookText, titleOf } from "./runbooks";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

export function RunbookPage() {
  const { name = "" } = useParams();
  const text = runbookText(name);
  if (text === undefined)
    return (
      <>
        <PageHeader title="Runbook" />
        <EmptyState title={`No runbook named ${name}.`}>
          Choose one of the <Anchor href="/runbooks">runbooks</Anchor>.
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader title={titleOf(name, text)} headline="How to verify and remedy this kind of incident.">
        <Anchor href="/runbooks">All runbooks</Anchor>
      </PageHeader>
      <Panel title="Steps">
        <Markdown text={text} />
      </Panel>
    </>
  );
}
