/// <reference path="./domino.d.ts" />
import domino from "@mixmark-io/domino";
import TurndownService from "turndown";

/** What of a page is nothing to read, and what is read only where the page does not mark its main part. */
const NO_CONTENT =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, dialog, [hidden], [aria-hidden=true]";
const AROUND = "nav, header, footer, aside, form";
const MAIN = ["main", "[role=main]", "article"];

/** A main part with less text than this is not the page's. In characters. */
const MIN_MAIN = 200;

/** What is used of the nodes that the libraries give. */
interface PageNode {
  readonly nodeName: string;
  readonly parentNode: PageNode | null;
  readonly previousSibling: PageNode | null;
  readonly childNodes: { readonly length: number };
}

interface PageElement extends PageNode {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

interface PageDocument {
  readonly title: string;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  /** It has no iterator. */
  querySelectorAll(selector: string): ArrayLike<PageElement>;
}

/** The readable part of a page as Markdown: what it marks as its main part, else its body. Addresses are absolute. */
export function htmlMarkdown(html: string, address: string): string {
  const document = domino.createDocument(html, true) as PageDocument;
  for (const element of elementsIn(document, NO_CONTENT)) element.remove();
  const base = URL.parse(document.querySelector("base")?.getAttribute("href") ?? "", address)?.href ?? address;
  makeAbsolute(document, "a", "href", base);
  makeAbsolute(document, "img", "src", base);
  const title = document.title.replaceAll(/\s+/g, " ").trim();
  const markdown = markdownOf(mainPart(document));
  return title === "" || /^# /m.test(markdown) ? markdown : `# ${title}\n\n${markdown}`;
}

/** The article that is the page's main part, if it marks exactly one. */
function mainPart(document: PageDocument): PageElement {
  for (const selector of MAIN) {
    const [found, second] = elementsIn(document, selector);
    if (found !== undefined && second === undefined && (found.textContent ?? "").length >= MIN_MAIN) return found;
  }
  for (const element of elementsIn(document, AROUND)) element.remove();
  return document.body;
}

function markdownOf(element: PageElement): string {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  // Tables as GitHub's Markdown has them; Turndown's own plug-in for that takes the square of their rows.
  service.addRule("cell", {
    filter: ["th", "td"],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, " ")
        .replaceAll("|", "\\|")} |`,
  });
  service.addRule("row", { filter: "tr", replacement: (content, row: PageNode) => `\n|${content}${headEnd(row)}` });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  // One whose address was no http address, such as an image in the page itself.
  service.addRule("ownImage", {
    filter: (node: PageElement) => node.nodeName === "IMG" && node.getAttribute("src") === null,
    replacement: (_, node: PageElement) => node.getAttribute("alt") ?? "",
  });
  return service.turndown(element).trim();
}

/** The line below a table's first row. */
function headEnd(row: PageNode): string {
  const isFirst = row.previousSibling === null && (row.parentNode?.nodeName === "THEAD" || isFirstPart(row.parentNode));
  return isFirst ? `\n|${" --- |".repeat(row.childNodes.length)}` : "";
}

const isFirstPart = (part: PageNode | null): boolean =>
  part?.nodeName === "TABLE" || (part?.nodeName === "TBODY" && part.previousSibling === null);

function makeAbsolute(document: PageDocument, name: string, attribute: string, base: string): void {
  for (const element of elementsIn(document, name)) {
    const address = URL.parse(element.getAttribute(attribute) ?? "", base);
    if (address === null || !/^https?:$/.test(address.protocol)) element.removeAttribute(attribute);
    else element.setAttribute(attribute, address.href);
  }
}

const elementsIn = (document: PageDocument, selector: string): PageElement[] =>
  Array.from(document.querySelectorAll(selector));
