import type { Disposable, Tab, TextDocument, Uri } from "vscode";
import {
  type CancellationToken,
  CancellationTokenSource,
  Range,
  TabInputText,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { draftText } from "../../shared/draft-text.ts";
import { Disposables } from "../disposables.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";

/** How often the preview shows what has come, in milliseconds. */
const EVERY_MS = 60;

let opened = 0;

/** A read-only tab in which a draft appears while a model writes it. Closing the tab cancels the draft. */
export class DraftPreview implements Disposable {
  readonly #documents: ReadOnlyDocuments;
  readonly #own = new Disposables();
  readonly #stop = this.#own.add(new CancellationTokenSource());
  readonly #id = `draft-${++opened}`;
  #document: TextDocument | undefined;
  #attempt = 1;
  #answer = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(documents: ReadOnlyDocuments) {
    this.#documents = documents;
  }

  /** Cancelled when the user closes the tab, or by the token of {@link open}. */
  get token(): CancellationToken {
    return this.#stop.token;
  }

  /** Shows the empty tab. */
  async open(token: CancellationToken): Promise<void> {
    this.#own.add(token.onCancellationRequested(() => this.#stop.cancel()));
    const document = await workspace.openTextDocument(this.#put(""));
    this.#document = document;
    this.#own.add(workspace.onDidChangeTextDocument((change) => change.document === document && revealEnd(document)));
    await window.showTextDocument(document, { preview: false, viewColumn: ViewColumn.Active });
    this.#own.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        // A tab that is moved to another group is closed in the first one.
        if (closed.some((tab) => shows(tab, document.uri)) && tabsOf(document.uri).length === 0) this.#stop.cancel();
      }),
    );
  }

  /** Adds a part of the model's answer. Another attempt starts over. */
  add(attempt: number, delta: string): void {
    if (attempt !== this.#attempt) this.#answer = "";
    this.#attempt = attempt;
    this.#answer += delta;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#put(draftText(this.#answer));
    }, EVERY_MS);
  }

  /** Closes the tab. */
  async close(): Promise<void> {
    const document = this.#document;
    this.dispose();
    if (document === undefined) return;
    await window.tabGroups.close(tabsOf(document.uri));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#own.dispose();
  }

  #put(text: string): Uri {
    return this.#documents.put("Draft.team.yaml", this.#id, text);
  }
}

const shows = ({ input }: Tab, uri: Uri): boolean =>
  input instanceof TabInputText && input.uri.toString() === uri.toString();

const tabsOf = (uri: Uri): readonly Tab[] =>
  window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, uri));

/** Follows the text, unless the user has scrolled away from its end. */
function revealEnd(document: TextDocument): void {
  const { lineCount } = document;
  for (const editor of window.visibleTextEditors) {
    const last = editor.visibleRanges.at(-1)?.end.line;
    if (editor.document !== document || (last !== undefined && last < lineCount - FAR)) continue;
    editor.revealRange(new Range(lineCount - 1, 0, lineCount - 1, 0));
  }
}

/** A user who sees none of the last lines has scrolled away. */
const FAR = 15;
