import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it } from "vitest";
import { Theme } from "@/Theme";
import { DOCUMENTS, loaderOf } from "./documents";
import { documentTitle, Markdown } from "./Markdown";

function draw(text: string) {
  return render(
    <Theme>
      <MemoryRouter>
        <Markdown text={text} />
      </MemoryRouter>
    </Theme>,
  );
}

it("draws lists right below a sentence, tables, code and text with < and &", () => {
  draw(
    "# Rules\n\nThere are:\n- one `a < b`\n- **two** & more\n\n| scope | match |\n|---|---|\n| `port` | `grf1:ga030` |\n\n```sh\nping <host>\n```\n",
  );
  expect(screen.queryByRole("heading")).toBeNull();
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "one a < b",
    "two & more",
  ]);
  expect(within(screen.getByRole("table")).getByRole("cell", { name: "grf1:ga030" })).toBeDefined();
  expect(screen.getByText("ping <host>").tagName).toBe("PRE");
});

it("links other documents and runbooks, and shows the text of every other link", () => {
  draw("[exports](exports.md#files), [cut](runbooks/link-down.md), [a file](../README.md), ![map](map.png)");
  const links = screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["exports", "/help/exports"],
    ["cut", "/runbooks/link-down"],
  ]);
  expect(document.body.textContent).toContain("a file");
});

it("sets no HTML of a document", () => {
  const { container } = draw("a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n");
  expect(container.querySelector("img, script")).toBeNull();
});

it.each(DOCUMENTS)("draws all of %s", async (name) => {
  const text = (await loaderOf(name)?.()) ?? "";
  expect(documentTitle(text)).toMatch(/^[A-Z]/);
  draw(text);
  // Marks that are not drawn would be read as text.
  for (const element of document.querySelectorAll("p, li, td, th, h3"))
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE)
        expect(node.textContent).not.toMatch(/\*\*|\]\(|`|\|---|&(lt|amp|#)/);
});
