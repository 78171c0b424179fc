import type { Env } from "markdown-it";
import { wrapCode } from "../state/code-wrap.ts";
import { CodeHighlighter } from "./code-highlighter.ts";
import { linkFiles } from "./link-files.ts";
import { cleanFragment, parseBlocks, renderBlock, renderPlain } from "./markdown-renderer.ts";

/** How many blocks at the end of a growing text can still change: the one being written and the one before it. */
const UNSETTLED = 2;

/** A longer text, in characters, is shown as it is: its Markdown would block the page. */
const LONGEST = 100_000;

/**
 * A Markdown text that can grow cheaply: settled blocks are not parsed or rendered again, so the cost of a chunk does not
 * depend on the text before it. A complete text is rendered once more as a whole.
 */
export class MarkdownView {
  readonly #root: HTMLElement;
  /** The HTML of each child of the root. */
  #shown: string[] = [];
  #settledText = "";
  #settledBlocks = 0;
  /** How many blocks at the start are highlighted and have links to files: those that are settled, as it costs time. */
  #finishedBlocks = 0;
  #highlighter = new CodeHighlighter();
  /** The link references that the text defines. */
  #env: Env = {};

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  update(raw: string, growing: boolean): void {
    const text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
    if (!growing || !text.startsWith(this.#settledText)) this.#forget();
    if (text.length > LONGEST) {
      this.#forget();
      this.#show([renderPlain(text)], 0);
      return;
    }
    const tail = text.slice(this.#settledText.length);
    const blocks = parseBlocks(tail, this.#env);
    const settled = growing ? Math.max(0, blocks.length - UNSETTLED) : blocks.length;
    this.#show(blocks.map(renderBlock), this.#settledBlocks);
    this.#finish(this.#settledBlocks, this.#settledBlocks + settled);
    const end = blocks[settled];
    if (!growing || settled === 0 || end === undefined) return;
    this.#settledText += linesOf(tail, end.start);
    this.#settledBlocks += settled;
  }

  #forget(): void {
    this.#settledText = "";
    this.#settledBlocks = 0;
    this.#highlighter = new CodeHighlighter();
    this.#env = {};
  }

  /** Highlights code and links files again: highlighting was loaded meanwhile, or more is known of files. */
  refresh(): void {
    this.#highlighter = new CodeHighlighter();
    this.#finish(0, this.#finishedBlocks);
  }

  /** Highlights the code, and links the files, in the blocks from `first` to before `end`. */
  #finish(first: number, end: number): void {
    this.#finishedBlocks = end;
    for (let index = first; index < end; index++) {
      const block = this.#root.children[index];
      if (block === undefined) continue;
      for (const code of block.querySelectorAll("code[data-language]")) this.#highlighter.colour(code);
      for (const button of block.querySelectorAll("[data-action=wrap]")) {
        button.setAttribute("aria-pressed", String(wrapCode.value));
      }
      linkFiles(block);
    }
  }

  /** Replaces the blocks from `first` on; a block with the same HTML is not touched. */
  #show(html: readonly string[], first: number): void {
    for (const [index, wanted] of html.entries()) {
      const position = first + index;
      if (this.#shown[position] === wanted) continue;
      const block = this.#root.children[position] ?? this.#root.appendChild(document.createElement("div"));
      block.replaceChildren(cleanFragment(wanted));
      this.#shown[position] = wanted;
    }
    const length = first + html.length;
    while (this.#root.children.length > length) this.#root.lastElementChild?.remove();
    this.#shown.length = length;
  }
}

/** The first `count` lines of a text, with their line breaks. */
function linesOf(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line++) end = text.indexOf("\n", end) + 1;
  return text.slice(0, end);
}
