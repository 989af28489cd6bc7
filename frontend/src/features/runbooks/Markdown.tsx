/** Draws a document of docs/: the library reads Markdown, and each token becomes an element; no HTML is set. */
import { createElement, Fragment, type ReactElement } from "react";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { DOCUMENTS } from "./documents";
import classes from "./RunbookPage.module.css";
import { runbookText, titleOf } from "./runbooks";
import { Anchor } from "@/ui/Anchor";

/** A document without its title, which is the page's. */
export function Markdown({ text }: { text: string }) {
  const tokens = lexer(text).filter((token) => !(token.type === "heading" && token.depth === 1));
  return <div className={classes.text}>{all(tokens)}</div>;
}

/** The title of a document. */
export const documentTitle = (text: string): string | undefined =>
  lexer(text).find((token): token is Tokens.Heading => token.type === "heading" && token.depth === 1)?.text;

/** Elements as arguments need no keys: a text never changes. */
const together = (tag: string | typeof Fragment, parts: readonly ReactElement[]): ReactElement =>
  createElement(tag, null, ...parts);

const all = (tokens: readonly Token[] = []): ReactElement =>
  together(
    Fragment,
    tokens.map((token) => createElement(Drawn, { token: token as MarkedToken })),
  );

function Drawn({ token }: { token: MarkedToken }) {
  switch (token.type) {
    case "heading":
      return <h3>{all(token.tokens)}</h3>;
    case "paragraph":
      return <p>{all(token.tokens)}</p>;
    case "list":
      return <List token={token} />;
    case "table":
      return <Table token={token} />;
    case "code":
      return (
        <pre tabIndex={0} role="region" aria-label="Text of a terminal or file">
          {token.text}
        </pre>
      );
    case "blockquote":
      return <blockquote>{all(token.tokens)}</blockquote>;
    case "text":
      return token.tokens === undefined ? token.text : all(token.tokens);
    case "escape":
      return token.text;
    case "codespan":
      return <Code text={token.text} />;
    case "strong":
      return <strong>{all(token.tokens)}</strong>;
    case "em":
      return <em>{all(token.tokens)}</em>;
    case "link":
      return <Link token={token} />;
    case "br":
      return <br />;
    // Pictures are of the repository's pages; the rest is not used, or has nothing to show.
    default:
      return null;
  }
}

function List({ token: { items, ordered } }: { token: Tokens.List }) {
  return together(
    ordered ? "ol" : "ul",
    items.map(({ tokens }) => createElement("li", null, all(tokens))),
  );
}

const row = (tag: "td" | "th", cells: readonly Tokens.TableCell[]): ReactElement =>
  together(
    "tr",
    cells.map(({ tokens }) => createElement(tag, null, all(tokens))),
  );

function Table({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>{row("th", header)}</thead>
        {together(
          "tbody",
          rows.map((cells) => row("td", cells)),
        )}
      </table>
    </div>
  );
}

/** To another document or runbook that pages show; every other target is left out. */
function Link({ token: { href, tokens } }: { token: Tokens.Link }) {
  const [, folder, name = ""] = /^(runbooks\/)?([a-z0-9-]+)\.md(?:#|$)/.exec(href) ?? [];
  if (folder === undefined && DOCUMENTS.includes(name))
    return <Anchor href={`/help/${name}`}>{all(tokens)}</Anchor>;
  if (folder !== undefined && runbookText(name) !== undefined)
    return <Anchor href={`/runbooks/${name}`}>{all(tokens)}</Anchor>;
  return all(tokens);
}

/** The file of another runbook is a link to it. */
function Code({ text }: { text: string }) {
  const name = /^docs\/runbooks\/([a-z-]+)\.md$/.exec(text)?.[1];
  const other = name === undefined ? undefined : runbookText(name);
  if (name === undefined || other === undefined) return <code>{text}</code>;
  return <Anchor href={`/runbooks/${name}`}>{titleOf(name, other)}</Anchor>;
}
