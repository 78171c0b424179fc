import { commands, window, workspace } from "vscode";
import type { ToolPreview } from "../../shared/contract/inspection.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { visibleText } from "../common/visible-text.ts";
import { hasWorkspace } from "../host/host-options.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { callerNames } from "../team/identical-calls.ts";
import type { ApprovalRuleScope, TeamActions } from "../team/team-actions.ts";
import { type ToolCallText, toolCallText } from "../text/tool-call-text.ts";
import { requireTrust } from "../trust.ts";
import { pickApprovalRules } from "./pick-approval-rules.ts";

const RUN = "Run It";
const DENY = "Deny…";
/** A yes for more than this call. */
const STANDING: Readonly<Record<ApprovalRuleScope, string>> = {
  run: "Allow in This Run…",
  workspace: "Allow in This Workspace…",
  always: "Always Allow…",
};
const WHOLE = "Show Whole Input";
const DIFF = "Show Diff";
const DECIDE = "Decide…";

/** What a call would write, and the file as it is. */
type FilePreview = Extract<ToolPreview, { readonly after: string }>;

/** How the user rules on tool calls: a modal dialog that shows exactly what will run. */
export class ApprovalDialog {
  readonly #actions: TeamActions;
  readonly #documents: ReadOnlyDocuments;

  constructor(actions: TeamActions, documents: ReadOnlyDocuments) {
    this.#actions = actions;
    this.#documents = documents;
  }

  /** Asks about one call and does what the user says; a dialog that is closed leaves the call pending. */
  async review(ref: string): Promise<void> {
    requireTrust();
    const preview = await this.#actions.previewTool(ref);
    const call = this.#call(ref);
    const text = withPreview(
      toolCallText(call, commandFolder(), callerNames(this.#actions.identicalCalls(ref))),
      preview,
    );
    const scopes = standingScopes(call);
    const choice = text.complete ? await ask(text, scopes) : await this.#askAboutLong(call, text, scopes);
    if (choice === DIFF && text.file !== undefined) return this.#reviewAfterDiff(call, text.question, text.file);
    const scope = scopes.find((one) => STANDING[one] === choice);
    if (choice === RUN) await this.#approve(ref);
    else if (choice === DENY) await this.deny(ref);
    else if (scope !== undefined) await this.#allow(ref, scope);
  }

  /** Denies one call, with a reason that the participant is told. */
  async deny(ref: string): Promise<void> {
    requireTrust();
    const { name, participant } = this.#call(ref);
    const who = callerNames(this.#actions.identicalCalls(ref));
    const reason = await window.showInputBox({
      title: `Deny ${name}`,
      prompt: `Why? ${who} ${who === participant ? "is" : "are"} told; leave it empty to deny without a reason.`,
      ignoreFocusOut: true,
    });
    if (reason === undefined) return;
    const given = reason.trim();
    await this.#actions.resolveToolCalls(ref, { how: "deny", ...(given === "" ? {} : { reason: given }) });
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
    if (output !== undefined) await this.#actions.resolveToolCalls(ref, { how: "respond", output });
  }

  /** The dialog is not offered a yes before the whole has been on screen; the document can be read at leisure, then. */
  async #askAboutLong(
    call: PendingTool,
    text: Question,
    scopes: readonly ApprovalRuleScope[],
  ): Promise<string | undefined> {
    const first = await ask(text, undefined);
    if (first !== WHOLE) return first;
    const document = this.#documents.put(`${call.name} (whole input).txt`, call.ref, text.whole);
    await window.showTextDocument(document, { preview: true });
    const next = await window.showInformationMessage(`${text.question} Its whole input is open.`, DECIDE);
    return next === DECIDE ? ask(text, scopes) : undefined;
  }

  /** The dialog would hide the diff: it comes again when the user has seen enough. */
  async #reviewAfterDiff({ ref }: PendingTool, question: string, { path, before, after }: FilePreview): Promise<void> {
    const left = this.#documents.put(path, `${ref} before`, before ?? "");
    const right = this.#documents.put(path, `${ref} after`, after);
    const title = `${visibleText(path).text} (${before === null ? "a new file" : "as it is ↔ as it would be"})`;
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    const next = await window.showInformationMessage(`${question} What it would change is open.`, DECIDE);
    if (next === DECIDE) await this.review(ref);
  }

  /** The call may have been answered elsewhere while the dialog was open. */
  async #approve(ref: string): Promise<void> {
    this.#call(ref);
    await this.#actions.resolveToolCalls(ref, { how: "approve" });
  }

  /** A list that is closed leads back to the question. */
  async #allow(ref: string, scope: ApprovalRuleScope): Promise<void> {
    const rules = await pickApprovalRules(await this.#actions.suggestedRules(ref), scope);
    this.#call(ref);
    if (rules === undefined) await this.review(ref);
    else await this.#actions.addApprovalRules(ref, rules, scope);
  }

  #call(ref: string): PendingTool {
    const call = this.#actions.pendingCall(ref);
    if (call === undefined) throw new Error("That tool call has been answered already; nothing was changed.");
    return call;
  }
}

/** What the user is asked, with the file that would be changed where there is one. */
type Question = ToolCallText & { readonly file?: FilePreview };

function withPreview(text: ToolCallText, preview: ToolPreview): Question {
  if (preview === null) return text;
  if ("problem" in preview) {
    const problem = `As things stand it would fail: ${visibleText(preview.problem).text}`;
    return { ...text, detail: `${text.detail}\n\n${problem}` };
  }
  return { ...text, file: preview };
}

/** Asks about a call; before the whole of it was on screen there are no scopes, and no yes. */
function ask(
  { question, detail, file }: Question,
  scopes: readonly ApprovalRuleScope[] | undefined,
): Thenable<string | undefined> {
  const offers = scopes === undefined ? [WHOLE] : [RUN, ...scopes.map((scope) => STANDING[scope])];
  const diff = file === undefined ? [] : [DIFF];
  return window.showWarningMessage(question, { modal: true, detail }, ...offers, ...diff, DENY);
}

/** A question of the tool itself needs the user each time. */
function standingScopes({ approval }: PendingTool): readonly ApprovalRuleScope[] {
  if (approval === undefined) return [];
  return hasWorkspace() ? ["run", "workspace", "always"] : ["run", "always"];
}

/** Where a command runs that does not say where: the workspace's first folder, as the host has it. */
function commandFolder(): string {
  return workspace.workspaceFolders?.[0]?.uri.fsPath ?? "(no folder is open)";
}
