/** One runbook of docs/runbooks: meaning of a root cause, verification, and remedy. */
import { useParams } from "react-router";
import { blocks, spans, type Block } from "./blocks";
import classes from "./RunbookPage.module.css";
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
  const rest = blocks(text).filter(({ kind }) => kind !== "title");
  return (
    <>
      <PageHeader title={titleOf(name, text)} headline="How to verify and remedy this kind of incident.">
        <Anchor href="/runbooks">All runbooks</Anchor>
      </PageHeader>
      <Panel title="Steps">
        <div className={classes.text}>
          {rest.map((block) => (
            <BlockView key={block.id} block={block} />
          ))}
        </div>
      </Panel>
    </>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === "list") {
    const items = block.items.map((item) => (
      <li key={item}>
        <Inline text={item} />
      </li>
    ));
    return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
  }
  if (block.kind === "code") return <pre>{block.text}</pre>;
  if (block.kind === "text")
    return (
      <p>
        <Inline text={block.text} />
      </p>
    );
  return <h3>{block.text}</h3>;
}

function Inline({ text }: { text: string }) {
  return spans(text).map(({ id, part, isCode }) => (isCode ? <Code key={id} text={part} /> : part));
}

/** The file of another runbook is a link to it. */
function Code({ text }: { text: string }) {
  const name = /^docs\/runbooks\/([a-z-]+)\.md$/.exec(text)?.[1];
  const other = name === undefined ? undefined : runbookText(name);
  if (name === undefined || other === undefined) return <code>{text}</code>;
  return <Anchor href={`/runbooks/${name}`}>{titleOf(name, other)}</Anchor>;
}
