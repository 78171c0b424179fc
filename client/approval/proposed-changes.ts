import type { Disposable, Tab } from "vscode";
import { commands, TabInputText, TabInputTextDiff, Uri, window } from "vscode";
import { visibleText } from "../../shared/text/visible-text.ts";
import { Disposables } from "../disposables.ts";
import { type CodeChange, labelOf } from "../files/apply-code.ts";
import { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { TeamActions } from "../session/team-actions.ts";
import type { CallCards, ShownCall } from "./call-cards.ts";
import type { FilePreview } from "./call-question.ts";
import { SettledDiff } from "./settled-diff.ts";

/** Its `when` clauses in package.json show Accept and Reject in the title of these diffs. */
const SCHEME = "gavel-proposed";

/** What proposes the change that a diff shows. */
export type Proposal =
  | { readonly kind: "call"; readonly call: ShownCall }
  /** A block of code in a message, which the user applies. */
  | { readonly kind: "code"; readonly change: CodeChange };

/**
 * Proposed changes, in VS Code's diff editor: the file on the left, its content after the change on the right. The diff of
 * a pending call follows the file, and is closed when the call is decided, wherever that is.
 */
export class ProposedChanges implements Disposable {
  readonly #own = new Disposables();
  readonly #cards: CallCards;
  readonly #documents = this.#own.add(new ReadOnlyDocuments(SCHEME));
  readonly #settled = this.#own.add(new SettledDiff());
  /** What each open diff shows, by the URI of its right side. */
  readonly #open = new Map<string, Proposal>();

  constructor(cards: CallCards) {
    this.#cards = cards;
    this.#own.add(cards.onChanged((call) => this.#update(call)));
    this.#own.add(cards.onRemoved((call) => this.#close(call)));
    this.#own.add(
      window.tabGroups.onDidChangeTabs(({ opened, changed, closed }) => {
        if ([...opened, ...changed].some((tab) => tab.isActive && proposalOf(tab) !== undefined))
          this.#settled.restart();
        this.#forgetCode(closed);
      }),
    );
    // Diffs of an earlier session, which VS Code has restored, have no content.
    void closeTabs(() => true);
  }

  /** Opens the diff of a pending call. @throws Error when the call changes no file, or would fail. */
  async open(actions: TeamActions, ref: string): Promise<void> {
    const call = await this.#cards.show(actions, ref);
    if (call === undefined) throw new Error("This tool call has already been decided.");
    const { change, card } = call;
    if (change === undefined) throw new Error(card.problem ?? "This tool call changes no file.");
    const [first, ...rest] = change.files.map((file) => this.#sides(call, file));
    if (first === undefined) return;
    if (rest.length > 0) return this.#showAll(call, [first, ...rest]);
    await this.#show({ kind: "call", call }, first.left, first.right, first.title);
  }

  /** Opens the diff of a change by a block of code. It takes the place of an open one for the same file. */
  async openCode(change: CodeChange): Promise<void> {
    const label = labelOf(change.uri);
    const right = this.#documents.put(label, JSON.stringify(["code", change.uri.toString()]), change.after);
    await this.#show({ kind: "code", change }, change.uri, right, `${visibleText(label).text} (Proposed Change)`);
  }

  /**
   * What an open diff shows: the one with this URI, or the active one. Undefined for one that has only just appeared: the
   * key or the click was for something else. @throws Error when it is decided.
   */
  shownIn(uri: Uri | undefined): Proposal | undefined {
    const found = uri ?? proposalOf(window.tabGroups.activeTabGroup.activeTab);
    const proposal = found === undefined ? undefined : this.#open.get(found.toString());
    if (proposal === undefined) throw new Error("This change has already been decided. Close the diff.");
    return this.#settled.isSettled ? proposal : undefined;
  }

  /** Closes the diff of a change by a block of code. */
  async closeCode(change: CodeChange): Promise<void> {
    for (const [uri, open] of this.#open) {
      if (open.kind === "code" && open.change === change) await closeTabs((right) => right.toString() === uri);
    }
  }

  dispose(): void {
    this.#own.dispose();
  }

  #sides(call: ShownCall, preview: FilePreview): Sides {
    const { path, file, before, after, movedFrom } = preview;
    const right = this.#put(call, nameIn(call, preview), after);
    const source = movedFrom?.file ?? file;
    const left = before === null || source === undefined ? this.#empty(call, path) : Uri.file(source);
    return { left, right, title: `${visibleText(path).text} (${titleWord(preview)})` };
  }

  /** The changes of several files, in one tab. They are decided on the card: a part of them cannot be. */
  async #showAll(call: ShownCall, sides: readonly Sides[]): Promise<void> {
    for (const { right } of sides) this.#open.set(right.toString(), { kind: "call", call });
    await commands.executeCommand(
      "vscode.changes",
      titleOfAll(call),
      sides.map(({ left, right }) => [right, left, right]),
    );
  }

  async #show(proposal: Proposal, left: Uri, right: Uri, title: string): Promise<void> {
    this.#open.set(right.toString(), proposal);
    this.#settled.restart();
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  /** The user decides on a block of code once: closing its diff rejects it. */
  #forgetCode(closed: readonly Tab[]): void {
    for (const tab of closed) {
      const uri = proposalOf(tab)?.toString() ?? "";
      if (this.#open.get(uri)?.kind === "code") this.#open.delete(uri);
    }
  }

  #update(call: ShownCall): void {
    if (call.change === undefined) return;
    let isOpen = false;
    for (const [uri, open] of this.#open) {
      if (!isSame(open, call)) continue;
      isOpen = true;
      if (open.kind === "call" && open.call.card.digest !== call.card.digest) this.#settled.restart();
      this.#open.set(uri, { kind: "call", call });
    }
    if (isOpen) for (const file of call.change.files) this.#put(call, nameIn(call, file), file.after);
  }

  #close(call: ShownCall): void {
    for (const [uri, open] of this.#open) {
      if (!isSame(open, call)) continue;
      this.#open.delete(uri);
      void closeTabs((right) => right.toString() === uri);
    }
    if ((call.change?.files.length ?? 0) > 1) void closeAll(titleOfAll(call));
  }

  #put({ teamId, card: { ref } }: ShownCall, path: string, text: string): Uri {
    return this.#documents.put(path, JSON.stringify([teamId, ref]), text);
  }

  /** The left side for a new file. */
  #empty({ teamId, card: { ref } }: ShownCall, path: string): Uri {
    return this.#documents.put(path, JSON.stringify([teamId, ref, "before"]), "");
  }
}

const isSame = (open: Proposal, { teamId, card }: ShownCall): boolean =>
  open.kind === "call" && open.call.teamId === teamId && open.call.card.ref === card.ref;

function titleWord({ before, deleted, movedFrom }: FilePreview): string {
  if (movedFrom !== undefined) return `Moved from ${visibleText(movedFrom.path).text}`;
  if (deleted) return "Deleted File";
  return before === null ? "New File" : "Proposed Change";
}

/** The right side's path. Beside other files, VS Code would show one that differs from the left side's as a renamed file. */
function nameIn({ change }: ShownCall, { path, file }: FilePreview): string {
  const isAlone = (change?.files.length ?? 0) < 2;
  return isAlone || file === undefined ? path : Uri.file(file).path.slice(1);
}

/** What a diff compares. */
interface Sides {
  readonly left: Uri;
  readonly right: Uri;
  readonly title: string;
}

/** The right side of a diff of a proposed change. */
function proposalOf(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  return input instanceof TabInputTextDiff && input.modified.scheme === SCHEME ? input.modified : undefined;
}

const titleOfAll = ({ call }: ShownCall): string => visibleText(`${call.name} (Proposed Changes)`).text;

/** Closes the tab with the diffs of several files, of which VS Code tells only the title, with their number added to it. */
async function closeAll(title: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const isDocument = ({ input }: Tab): boolean => input instanceof TabInputText || input instanceof TabInputTextDiff;
  await window.tabGroups.close(
    tabs.filter((tab) => tab.label.startsWith(title) && !isDocument(tab)),
    true,
  );
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
