import { fileCandidates, fileReference, mayNameFile } from "../../common/files/file-reference.ts";
import { fileTarget } from "../state/file-targets.ts";
import { fileTargetText } from "../text/file-target-text.ts";

/** The most files that are looked for in one block of a text. */
const MOST = 100;

/**
 * Makes links of the paths in a block that name files of the workspace, and says where its links to files lead. The text
 * stays as it is, so nothing moves. What is not known yet is asked for; call this again then.
 */
export function linkFiles(block: Element): void {
  for (const link of block.querySelectorAll("[data-file]")) describe(link);
  let left = MOST;
  for (const node of textNodes(block)) {
    if (left <= 0) return;
    const inline = node.parentElement?.localName === "code";
    const text = node.data;
    const candidates = inline ? (mayNameFile(text) ? [{ start: 0, end: text.length }] : []) : fileCandidates(text);
    left -= candidates.length;
    // From the end, as a text node that is split keeps its start.
    for (const { start, end } of candidates.slice(0, MOST).reverse()) {
      const reference = text.slice(start, end);
      if (fileTarget(fileReference(reference)?.path ?? "")?.kind === "file") wrap(node, start, end, reference);
    }
  }
}

/** The texts of a block outside of links and blocks of code. */
function textNodes(block: Element): Text[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    return node instanceof Element && node.matches("a, .code-block")
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
  }
  return nodes;
}

function wrap(node: Text, start: number, end: number, reference: string): void {
  const link = document.createElement("a");
  link.className = "link file-link";
  link.setAttribute("role", "link");
  link.tabIndex = 0;
  link.dataset["file"] = reference;
  describe(link);
  const part = start === 0 ? node : node.splitText(start);
  part.splitText(end - start);
  part.replaceWith(link);
  link.append(part);
}

/** Gives a link to a file its tooltip. */
function describe(link: Element): void {
  const reference = fileReference(link.getAttribute("data-file") ?? "");
  if (reference !== undefined) link.setAttribute("title", fileTargetText(reference, fileTarget(reference.path)));
}
