import DOMPurify from "dompurify";
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { decoded, fileReference } from "../../common/files/file-reference.ts";
import { codeBlock } from "./code-block.ts";

/** A top-level block of a document; `start` is its first line, from 0. */
export interface Block {
  readonly start: number;
  readonly tokens: Token[];
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });
// A bare "example.com" or "index.ts" is more often a file or word than a link.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.disable(["html_block", "html_inline"]);

// A file is opened by the extension, which looks where it is.
const { validateLink } = markdown;
markdown.validateLink = (url) => /^file:\/\//i.test(url) || validateLink(url);

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;

// A link has no `href`, so that nothing in a message can navigate: the extension opens it (see `message-links.ts`).
rules["link_open"] = (tokens, index) => {
  return linkStart("link", tokens[index]?.attrGet("href"));
};

// An image is a link and never fetched: fetching would tell its owner that the message was read.
rules["image"] = (tokens, index) => {
  const token = tokens[index];
  const name = token?.content || "image";
  return `${linkStart("link image-link", token?.attrGet("src"))}${escapeHtml(`Image: ${name}`)}</a>`;
};

rules["fence"] = (tokens, index) => {
  const token = tokens[index];
  const info = (token?.info ?? "").trim();
  return codeBlock(token?.content ?? "", info.split(/[\s{:,]/)[0] ?? "", info, escapeHtml);
};
rules["code_block"] = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "", "", escapeHtml);

// The parser aligns cells with a style attribute, which the page's content security policy forbids.
for (const cell of ["td_open", "th_open"]) {
  rules[cell] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const side = /text-align:(\w+)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
    if (token !== undefined) token.attrs = side === undefined ? null : [["class", `align-${side}`]];
    return self.renderToken(tokens, index, options);
  };
}
rules["table_open"] = () => '<div class="table-scroll" tabindex="0"><table>';
rules["table_close"] = () => "</table></div>";

/**
 * The start of a link. Its tooltip is the address that is opened, whatever the message calls it. Only web addresses and
 * files can be opened; another one is a tooltip alone.
 */
function linkStart(className: string, given: unknown): string {
  const file = fileOf(String(given ?? ""));
  if (file !== undefined) {
    const path = escapeHtml(file);
    return `<a class="${className} file-link" role="link" tabindex="0" data-file="${path}" title="${path}">`;
  }
  const url = browserAddress(String(given ?? ""));
  const address = escapeHtml(visibleLines(url));
  return /^https?:/.test(url)
    ? `<a class="${className}" role="link" tabindex="0" data-href="${address}" title="${address}">`
    : `<a title="${address}">`;
}

/** The file that an address names, without percent encoding. */
function fileOf(address: string): string | undefined {
  const file = /^file:/i.test(address) ? address : decoded(address);
  return fileReference(file) === undefined ? undefined : file;
}

/** An address as a browser reads it: host names in ASCII (`xn--…`), `\\` as `/`. */
function browserAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).href : address;
}

/** Parses a document into its top-level blocks. Adds the link references that it defines to `env`. */
export function parseBlocks(text: string, env: Env): Block[] {
  const blocks: { start: number; tokens: Token[] }[] = [];
  for (const token of markdown.parse(text, env)) {
    if (token.level === 0 && token.nesting >= 0) blocks.push({ start: token.map?.[0] ?? 0, tokens: [token] });
    else blocks.at(-1)?.tokens.push(token);
  }
  return blocks;
}

/** A block's HTML. Its code is not highlighted. */
export function renderBlock({ tokens }: Block): string {
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** A text as it is, as HTML. */
export const renderPlain = (text: string): string => codeBlock(text, "", "", escapeHtml);

const allowed = {
  ALLOWED_TAGS:
    "a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul".split(
      " ",
    ),
  ALLOWED_ATTR: [
    "class",
    "title",
    "role",
    "tabindex",
    "type",
    "start",
    "data-href",
    "data-file",
    "data-info",
    "data-language",
    "data-action",
    "aria-label",
    "aria-hidden",
    "aria-pressed",
  ],
  // Not a URI: `c:/a.js`, `a.js:8` and `js:src/a.js` have no scheme.
  ADD_URI_SAFE_ATTR: ["data-file", "data-info"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** The HTML of a block as sanitized nodes. The renderer already escapes; this protects against its mistakes. */
export function cleanFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
    ADD_URI_SAFE_ATTR: [...allowed.ADD_URI_SAFE_ATTR],
  });
}
