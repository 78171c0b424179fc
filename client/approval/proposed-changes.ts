import type { Disposable, Tab } from "vscode";
import { commands, TabInputTextDiff, Uri, window } from "vscode";
import { visibleText } from "../common/visible-text.ts";
import { Disposables } from "../disposables.ts";
import { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { TeamActions } from "../team/team-actions.ts";
import type { CallCards, ShownCall } from "./call-cards.ts";

/** Its `when` clauses in package.json show Accept and Reject in the title of these diffs. */
const SCHEME = "gavel-proposed";

/**
 * The changes that pending calls propose, in VS Code's diff editor: the file on the left, its content after the call on the
 * right. A diff follows the file, and is closed when the call is decided, wherever that is.
 */
export class ProposedChanges implements Disposable {
  readonly #own = new Disposables();
  readonly #cards: CallCards;
  readonly #documents = this.#own.add(new ReadOnlyDocuments(SCHEME));
  /** What each open diff shows, by the URI of its right side. */
  readonly #open = new Map<string, ShownCall>();

  constructor(cards: CallCards) {
    this.#cards = cards;
    this.#own.add(cards.onChanged((call) => this.#update(call)));
    this.#own.add(cards.onRemoved((call) => this.#close(call)));
    // Diffs of an earlier session, which VS Code has restored, have no content.
    void closeTabs(() => true);
  }

  /** Opens the diff of a pending call. @throws Error when the call changes no file, or would fail. */
  async open(actions: TeamActions, ref: string): Promise<void> {
    const call = await this.#cards.show(actions, ref);
    if (call === undefined) throw new Error("This tool call has already been decided.");
    const { change, card } = call;
    if (change === undefined) throw new Error(card.problem ?? "This tool call changes no file.");
    const right = this.#put(call, change.path, change.after);
    const left =
      change.before === null || change.file === undefined ? this.#empty(call, change.path) : Uri.file(change.file);
    this.#open.set(right.toString(), call);
    const title = `${visibleText(change.path).text} (${change.before === null ? "New File" : "Proposed Change"})`;
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  /** The call of an open diff, as the diff shows it: of the one with this URI, or the active one. */
  shownIn(uri: Uri | undefined): ShownCall {
    const found = uri ?? proposalOf(window.tabGroups.activeTabGroup.activeTab);
    const call = found === undefined ? undefined : this.#open.get(found.toString());
    if (call === undefined) throw new Error("This change has already been decided. Close the diff.");
    return call;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(call: ShownCall): void {
    if (call.change === undefined) return;
    const { path, after } = call.change;
    for (const [uri, open] of this.#open) {
      if (!isSame(open, call)) continue;
      this.#open.set(uri, call);
      this.#put(call, path, after);
    }
  }

  #close(call: ShownCall): void {
    for (const [uri, open] of this.#open) {
      if (!isSame(open, call)) continue;
      this.#open.delete(uri);
      void closeTabs((right) => right.toString() === uri);
    }
  }

  #put({ teamId, card: { ref } }: ShownCall, path: string, text: string): Uri {
    return this.#documents.put(path, JSON.stringify([teamId, ref]), text);
  }

  /** The left side for a new file. */
  #empty({ teamId, card: { ref } }: ShownCall, path: string): Uri {
    return this.#documents.put(path, JSON.stringify([teamId, ref, "before"]), "");
  }
}

const isSame = (a: ShownCall, b: ShownCall): boolean => a.teamId === b.teamId && a.card.ref === b.card.ref;

/** The right side of a diff of a proposed change. */
function proposalOf(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  return input instanceof TabInputTextDiff && input.modified.scheme === SCHEME ? input.modified : undefined;
}

async function closeTabs(isWanted: (right: Uri) => boolean): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  await window.tabGroups.close(
    tabs.filter((tab) => {
      const right = proposalOf(tab);
      return right !== undefined && isWanted(right);
    }),
    true,
  );
}
