import { stripVTControlCharacters } from "node:util";

/** How much of a command's output is kept: its end, which says how it went. Characters. */
const KEPT = 60_000;

/** What a terminal printed, as it looks in it: without colours, and with lines that were written over as they ended. */
export function terminalText(raw: string): string {
  return stripVTControlCharacters(raw)
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1).replace(/\r+$/, ""))
    .join("\n")
    .replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}

/** The end of a text that grows, and whether something before it was dropped. */
export class OutputTail {
  #text = "";
  #dropped = false;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length <= 2 * KEPT) return;
    this.#text = this.#text.slice(-KEPT);
    this.#dropped = true;
  }

  get text(): string {
    const text = terminalText(this.#text);
    const cut = this.#dropped || text.length > KEPT;
    return cut ? `[Earlier output is left out.]\n${text.slice(-KEPT)}` : text;
  }
}
