/** Draws the blocks of a document. */
import { spans, type Block } from "./blocks";
import classes from "./RunbookPage.module.css";
import { runbookText, titleOf } from "./runbooks";
import { Anchor } from "@/ui/Anchor";

export function Markdown({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={classes.text}>
      {blocks.map((block) => (
        <BlockView key={block.id} block={block} />
      ))}
    </div>
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
  if (block.kind === "code")
    return (
      <pre tabIndex={0} role="region" aria-label="Text of a terminal or file">
        {block.text}
      </pre>
    );
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
