/** One runbook of docs/runbooks: meaning of a root cause, verification, and remedy. */
import { useParams } from "react-router";
import { blocks, spans, type Block } from "./blocks";
import classes from "./RunbookPage.module.css";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

const FILES = import.meta.glob<string>("../../../../docs/runbooks/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

export function RunbookPage() {
  const { name = "" } = useParams();
  const text = FILES[`../../../../docs/runbooks/${name}.md`];
  if (text === undefined)
    return (
      <>
        <PageHeader title="Runbook" />
        <EmptyState title="No such runbook." />
      </>
    );
  const [title, ...rest] = blocks(text);
  return (
    <>
      <PageHeader title={title?.kind === "title" ? title.text : name} headline={`docs/runbooks/${name}.md`} />
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
  return spans(text).map(({ id, part, isCode }) => (isCode ? <code key={id}>{part}</code> : part));
}
