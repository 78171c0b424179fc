import type { Disposable, HoverProvider, Position, TextDocument } from "vscode";
import { Hover, languages, MarkdownString, workspace } from "vscode";
import { timeAgo } from "../../shared/text/time-ago.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { commandLink } from "../common/command-link.ts";
import type { CommandId } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { LineAuthor, LineAuthors } from "./line-authors.ts";

const SHOW: CommandId = "gavel.showLineAuthor";

/** Tells on hovering over a line who of the shown team wrote it, and who approved that, with a link to its message. */
export class AuthorHover implements Disposable, HoverProvider {
  readonly #authors: LineAuthors;
  readonly #own = new Disposables();

  constructor(authors: LineAuthors) {
    this.#authors = authors;
    this.#own.add(languages.registerHoverProvider({ scheme: "file" }, this));
  }

  async provideHover(document: TextDocument, { line }: Position): Promise<Hover | undefined> {
    if (workspace.getConfiguration("gavel").get("authorMarks") === false) return undefined;
    const author = await this.#authors.at(document.uri, line);
    if (author === undefined || line >= document.lineCount) return undefined;
    return new Hover(textOf(author), document.lineAt(line).range);
  }

  dispose(): void {
    this.#own.dispose();
  }
}

/** Names come from team files and models, reasons from rules: all of it is appended as text. */
function textOf({ teamId, written, tool, approval }: LineAuthor): MarkdownString {
  const { participant, at, ref } = written;
  const text = new MarkdownString();
  text.isTrusted = { enabledCommands: [SHOW] };
  const using = tool === undefined ? "" : ` with ${visibleText(tool).text}`;
  appendSentence(text, `Written by ${visibleText(participant).text}${using}, ${timeAgo(at)}.`);
  if (approval !== undefined) appendSentence(text, ` ${visibleText(approval).text.replace(/\.$/, "")}.`);
  if (ref !== undefined) text.appendMarkdown(`\n\n[Show Message](${commandLink(SHOW, { teamId, ref })})`);
  return text;
}

/** By words: `appendText` makes spaces at which a line does not wrap. */
function appendSentence(text: MarkdownString, sentence: string): void {
  for (const part of sentence.split(/(\s+)/)) {
    if (/^\s+$/.test(part)) text.appendMarkdown(" ");
    else text.appendText(part);
  }
}
