import type { Disposable } from "vscode";
import { window, workspace } from "vscode";
import type { PendingTool } from "../../shared/contract/team.ts";
import type { TeamActions } from "../team/team-actions.ts";
import { requireTrust } from "../trust.ts";
import { InputDocuments } from "./input-documents.ts";
import { type ToolCallText, toolCallText } from "./tool-call-text.ts";

const RUN = "Run It";
const DENY = "Deny…";
const WHOLE = "Show Whole Input";
const DECIDE = "Decide…";

/** How the user rules on tool calls: a modal dialog that shows exactly what will run. */
export class Approval implements Disposable {
  readonly #actions: TeamActions;
  readonly #documents = new InputDocuments();

  constructor(actions: TeamActions) {
    this.#actions = actions;
  }

  /** Asks about one call and does what the user says; a dialog that is closed leaves the call pending. */
  async review(ref: string): Promise<void> {
    requireTrust();
    const call = this.#call(ref);
    const text = toolCallText(call, commandFolder());
    const choice = text.complete ? await ask(text, true) : await this.#askAboutLong(call, text);
    if (choice === RUN) await this.#approve(ref);
    else if (choice === DENY) await this.deny(ref);
  }

  /** Denies one call, with a reason that the participant is told. */
  async deny(ref: string): Promise<void> {
    requireTrust();
    const { participant, name } = this.#call(ref);
    const reason = await window.showInputBox({
      title: `Deny ${name}`,
      prompt: `Why? ${participant} is told; leave it empty to deny without a reason.`,
      ignoreFocusOut: true,
    });
    if (reason === undefined) return;
    const given = reason.trim();
    await this.#actions.rule(ref, { how: "deny", ...(given === "" ? {} : { reason: given }) });
  }

  /** Answers one call in the tool's place. */
  async respond(ref: string): Promise<void> {
    requireTrust();
    const { participant, name } = this.#call(ref);
    const output = await window.showInputBox({
      title: `Answer ${name}`,
      prompt: `What ${participant} is given as the tool's result. The tool does not run.`,
      ignoreFocusOut: true,
    });
    if (output !== undefined) await this.#actions.rule(ref, { how: "respond", output });
  }

  dispose(): void {
    this.#documents.dispose();
  }

  /** The dialog is not offered a yes before the whole has been on screen; the document can be read at leisure, then. */
  async #askAboutLong(call: PendingTool, text: ToolCallText): Promise<string | undefined> {
    const first = await ask(text, false);
    if (first !== WHOLE) return first;
    await this.#documents.show(call.name, call.ref, text.whole);
    const next = await window.showInformationMessage(`${text.question} Its whole input is open.`, DECIDE);
    return next === DECIDE ? ask(text, true) : undefined;
  }

  /** The call may have been answered elsewhere while the dialog was open. */
  async #approve(ref: string): Promise<void> {
    this.#call(ref);
    await this.#actions.rule(ref, { how: "approve" });
  }

  #call(ref: string): PendingTool {
    const call = this.#actions.pending(ref);
    if (call === undefined) throw new Error("That tool call has been answered already; nothing was changed.");
    return call;
  }
}

function ask({ question, detail }: ToolCallText, seen: boolean): Thenable<string | undefined> {
  return window.showWarningMessage(question, { modal: true, detail }, ...(seen ? [RUN] : [WHOLE]), DENY);
}

/** Where a command runs that does not say where: the workspace's first folder, as the host has it. */
function commandFolder(): string {
  return workspace.workspaceFolders?.[0]?.uri.fsPath ?? "(no folder is open)";
}
