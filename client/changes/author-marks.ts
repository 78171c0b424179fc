import type { Disposable, TextEditor, TextEditorDecorationType } from "vscode";
import { DecorationRangeBehavior, Range, Uri, window, workspace } from "vscode";
import { accentOf } from "../common/participants/participants.ts";
import { type Roster, rosterOf } from "../common/participants/team-roster.ts";
import { Disposables } from "../disposables.ts";
import type { TeamSource } from "../session/team-source.ts";
import { type AuthorBlock, authorBlocks } from "./author-blocks.ts";
import { type AuthorIconKind, authorIcon, type Shade } from "./author-icon.ts";
import type { LineAuthors } from "./line-authors.ts";
import { RepeatedLookup } from "./repeated-lookup.ts";
import type { ShownChanges } from "./shown-changes.ts";

const SETTING = "gavel.authorMarks";
/** What changes within this time is looked up once, in milliseconds; meanwhile VS Code moves the marks with their lines. */
const TOGETHER = 500;

/** Marks in the gutter of visible editors the lines that participants of the shown team wrote. */
export class AuthorMarks implements Disposable {
  readonly #source: TeamSource;
  readonly #authors: LineAuthors;
  readonly #own = new Disposables();
  /** By shape, accent and initials. */
  readonly #types = new Map<string, TextEditorDecorationType>();
  /** The documents that have marks. */
  #marked: ReadonlySet<string> = new Set();
  readonly #lookup = this.#own.add(new RepeatedLookup(() => this.#draw(), TOGETHER));
  #isDisposed = false;

  constructor(source: TeamSource, changes: ShownChanges, authors: LineAuthors) {
    this.#source = source;
    this.#authors = authors;
    this.#own.add(changes.onChanged(() => this.#lookup.soon()));
    this.#own.add(window.onDidChangeVisibleTextEditors(() => void this.#lookup.now()));
    this.#own.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.#marked.has(document.uri.toString())) this.#lookup.soon();
      }),
    );
    this.#own.add(
      workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SETTING) && void this.#lookup.now()),
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const type of this.#types.values()) type.dispose();
    this.#own.dispose();
  }

  /** Marks all visible editors. */
  async #draw(): Promise<void> {
    const marked = new Set<string>();
    const isOn = workspace.getConfiguration().get(SETTING) !== false;
    for (const editor of window.visibleTextEditors) {
      const { uri, version } = editor.document;
      const blocks = isOn ? authorBlocks(await this.#authors.in(uri)) : [];
      if (this.#isDisposed) return;
      if (blocks.length > 0) marked.add(uri.toString());
      // The lines may be those of another version: then they are looked up again.
      if (blocks.length > 0 && editor.document.version !== version) this.#lookup.soon();
      else this.#mark(editor, blocks);
    }
    this.#marked = marked;
  }

  #mark(editor: TextEditor, blocks: readonly AuthorBlock[]): void {
    const { state } = this.#source;
    const roster = state && rosterOf(state, this.#source.user);
    const ranges = new Map<TextEditorDecorationType, Range[]>();
    const add = (kind: AuthorIconKind, participant: string, from: number, lines: number): void => {
      if (lines < 1) return;
      const type = this.#typeOf(kind, participant, roster);
      const range = new Range(from, 0, from + lines - 1, 0);
      ranges.set(type, [...(ranges.get(type) ?? []), range]);
    };
    for (const { line, lines, participant } of blocks) {
      add("initials", participant, line, 1);
      add("bar", participant, line + 1, lines - 1);
    }
    for (const type of this.#types.values()) editor.setDecorations(type, ranges.get(type) ?? []);
  }

  #typeOf(kind: AuthorIconKind, participant: string, roster: Roster | undefined): TextEditorDecorationType {
    const { initials, accent } = lookOf(participant, roster);
    const key = JSON.stringify([kind, initials, accent]);
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const icon = (shade: Shade) => ({ gutterIconPath: Uri.parse(authorIcon(kind, initials, accent, shade)) });
    const type = window.createTextEditorDecorationType({
      rangeBehavior: DecorationRangeBehavior.ClosedClosed,
      gutterIconSize: "contain",
      light: icon("light"),
      dark: icon("dark"),
    });
    this.#types.set(key, type);
    return type;
  }
}

interface Look {
  readonly initials: string;
  readonly accent: number | undefined;
}

/** How the chat shows the participant, which may be one of a nested team. */
function lookOf(name: string, roster: Roster | undefined): Look {
  return (roster && knownLook(name, roster)) ?? { initials: "", accent: undefined };
}

function knownLook(name: string, roster: Roster): Look | undefined {
  const initials = roster.initials.get(name);
  if (initials !== undefined) return { initials, accent: accentOf(name, roster) };
  for (const inner of roster.inner.values()) {
    const within = knownLook(name, inner);
    if (within !== undefined) return within;
  }
  return undefined;
}
