import type { LogOutputChannel } from "vscode";
import { commands, window } from "vscode";
import { choiceQuestionOf } from "../../shared/ask-user.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { resultText, waitingResultOf } from "../../shared/reviewed-result.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { outsideQuestionOf } from "../common/outside-question.ts";
import { askChoices } from "../dialogs/ask-choices.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { askText } from "../dialogs/ask-text.ts";
import { notify } from "../dialogs/notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { callApprovals } from "../session/call-approvals.ts";
import { decidedText } from "../session/decided-call.ts";
import { callerNames } from "../session/identical-calls.ts";
import type { ApprovalRuleScope, TeamActions, ToolCallDecision } from "../session/team-actions.ts";
import { toolCallText } from "../text/tool-call-text.ts";
import { requireTrust } from "../trust.ts";
import { type CallChange, commandFolder, type FilePreview, ruleScopes } from "./call-question.ts";
import { pickApprovalRules } from "./pick-approval-rules.ts";
import { type Question, withApprovals, withPreview } from "./question-text.ts";

const ALLOW_ONCE = "Allow Once";
const REJECT = "Reject…";
/** Approvals of more than this call. */
const ALLOW_IN_SCOPE: Readonly<Record<ApprovalRuleScope, string>> = {
  run: "Allow in This Run…",
  workspace: "Allow in This Workspace…",
  always: "Always Allow…",
};
const RUN_OUTSIDE = "Run Outside Sandbox";
const KEEP_RESULT = "Keep Result";
const SHOW_INPUT = "Show Full Input";
const SHOW_DIFF = "Show Diff";
const DECIDE = "Decide…";
const SEND_RESULT = "Send Result";
const EDIT_RESULT = "Edit…";
const WITHHOLD = "Withhold…";
/** How much of a result a dialog shows, in characters. */
const MAX_RESULT = 1500;

/** Asks the user to decide on tool calls, in a modal dialog that shows exactly what will run. */
export class ApprovalDialog {
  readonly #actions: TeamActions;
  readonly #documents: ReadOnlyDocuments;
  readonly #log: LogOutputChannel;
  readonly #editResult: (ref: string) => Promise<void>;

  /** `editResult` opens a result that waits for review in an editor. */
  constructor(
    actions: TeamActions,
    documents: ReadOnlyDocuments,
    log: LogOutputChannel,
    editResult: (ref: string) => Promise<void>,
  ) {
    this.#editResult = editResult;
    this.#actions = actions;
    this.#documents = documents;
    this.#log = log;
  }

  /** Asks about one call and resolves it as the user decides. If the dialog is closed, the call stays pending. */
  async review(ref: string): Promise<void> {
    requireTrust();
    const preview = await this.#actions.previewTool(ref);
    const call = this.#call(ref);
    const result = waitingResultOf(call);
    if (result !== undefined) return this.#reviewResult(call, result.output);
    const outside = outsideQuestionOf(call);
    const who = outside === undefined ? callerNames(this.#actions.identicalCalls(ref)) : call.participant;
    const approvals = callApprovals(this.#actions.team, call, this.#actions.user);
    if (approvals.own === "others") throw new Error(approvals.text ?? "Others decide on the calls of this team.");
    const text = withApprovals(
      withPreview(toolCallText(call, commandFolder(this.#actions), who), outside === undefined ? preview : null),
      approvals.text,
    );
    const scopes = approvals.allowsRules ? ruleScopes(this.#actions) : [];
    const offers =
      approvals.own === "approved"
        ? []
        : outside === undefined
          ? [ALLOW_ONCE, ...scopes.map((scope) => ALLOW_IN_SCOPE[scope])]
          : [RUN_OUTSIDE, KEEP_RESULT];
    const choice = text.complete ? await ask(text, offers) : await this.#askAboutLong(call, text, offers);
    this.#log.info(`Approval of ${call.name} for ${call.participant} (${ref}): ${choice ?? "dialog closed"}.`);
    if (choice === SHOW_DIFF && text.change !== undefined)
      return this.#reviewAfterDiff(call, text.question, text.change);
    const scope = scopes.find((one) => ALLOW_IN_SCOPE[one] === choice);
    if (choice === ALLOW_ONCE) await this.#resolveShown(ref, { how: "approve", preview: text.change?.digest });
    else if (choice === REJECT) await this.deny(ref);
    else if (choice === RUN_OUTSIDE) await this.#resolveShown(ref, { how: "runOutside" });
    else if (choice === KEEP_RESULT && outside !== undefined)
      await this.#resolveShown(ref, { how: "respond", output: outside.output });
    else if (scope !== undefined) await this.#allow(ref, scope, text.change?.digest);
  }

  /** Asks what becomes of a result; all of it is in the editor that Edit opens. */
  async #reviewResult({ ref, name, participant }: PendingTool, output: unknown): Promise<void> {
    const question = visibleText(`Send the result of ${name} to ${participant}?`).text;
    const { text } = visibleText(resultText(output));
    const shown = text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}…\n\nEdit shows all of it.` : text;
    const choice = await askModal(question, shown, SEND_RESULT, EDIT_RESULT, WITHHOLD);
    if (choice === SEND_RESULT) await this.#resolveShown(ref, { how: "respond", output });
    else if (choice === EDIT_RESULT) await this.#editResult(ref);
    else if (choice === WITHHOLD) await this.deny(ref);
  }

  /** Rejects one call or withholds its result, with a reason for the participant. */
  async deny(ref: string): Promise<void> {
    requireTrust();
    const { name, review } = this.#call(ref);
    const who = callerNames(this.#actions.identicalCalls(ref));
    const reason = await askText({
      title: review ? `Withhold Result of ${name}` : `Reject ${name}`,
      prompt: `Reason, shown to ${who} (optional).`,
      ignoreFocusOut: true,
    });
    if (reason === undefined) return;
    const given = reason.trim();
    await this.#actions.resolveToolCalls(ref, { how: "deny", ...(given === "" ? {} : { reason: given }) });
  }

  /** Gives one call a result without running the tool. */
  async respond(ref: string): Promise<void> {
    requireTrust();
    const call = this.#call(ref);
    if (call.review) return this.#editResult(ref);
    const { participant, name } = call;
    const question = choiceQuestionOf(call);
    if (question !== undefined) {
      const answer = await askChoices(question, participant);
      if (answer !== undefined) await this.#resolveShown(ref, { how: "respond", output: answer });
      return;
    }
    const output = await askText({
      title: `Answer ${name}`,
      prompt: `The result that ${participant} gets. The tool does not run.`,
      ignoreFocusOut: true,
    });
    if (output !== undefined) await this.#actions.resolveToolCalls(ref, { how: "respond", output });
  }

  /** An input that is too long for the dialog opens as a document; only then can the call be approved. */
  async #askAboutLong(call: PendingTool, text: Question, offers: readonly string[]): Promise<string | undefined> {
    const first = await ask(text, [SHOW_INPUT]);
    if (first !== SHOW_INPUT) return first;
    const document = this.#documents.put(`${call.name} (full input).txt`, call.ref, text.whole);
    await window.showTextDocument(document, { preview: true });
    const next = await notify("info", `${text.question} The full input is open in an editor.`, DECIDE);
    return next === DECIDE ? ask(text, offers) : undefined;
  }

  /** Shows the diff without the dialog, which would cover it; the dialog comes back when the user asks for it. */
  async #reviewAfterDiff({ ref, name }: PendingTool, question: string, { files }: CallChange): Promise<void> {
    const [first, ...rest] = files.map((file) => this.#sides(ref, file));
    if (first === undefined) return;
    if (rest.length > 0) {
      const all = [first, ...rest].map(({ left, right }) => [right, left, right]);
      await commands.executeCommand("vscode.changes", visibleText(`${name} (Proposed Changes)`).text, all);
    } else await commands.executeCommand("vscode.diff", first.left, first.right, first.title, { preview: true });
    const next = await notify("info", `${question} The diff is open in an editor.`, DECIDE);
    if (next === DECIDE) await this.review(ref);
  }

  #sides(ref: string, { path, before, after }: FilePreview) {
    const left = this.#documents.put(path, `${ref} before`, before ?? "");
    const right = this.#documents.put(path, `${ref} after`, after);
    return { left, right, title: `${visibleText(path).text} (${before === null ? "new file" : "current ↔ proposed"})` };
  }

  /** The call may have been answered elsewhere while the dialog was open. */
  async #resolveShown(ref: string, decision: ToolCallDecision): Promise<void> {
    this.#call(ref);
    await this.#actions.resolveToolCalls(ref, decision);
  }

  /** Closing the list leads back to the dialog. `digest`: of the change that the user was shown. */
  async #allow(ref: string, scope: ApprovalRuleScope, digest: string | undefined): Promise<void> {
    const rules = await pickApprovalRules(await this.#actions.suggestedRules(ref), scope);
    this.#call(ref);
    if (rules === undefined) await this.review(ref);
    else await this.#actions.addApprovalRules(ref, rules, scope, digest);
  }

  #call(ref: string): PendingTool {
    const call = this.#actions.pendingCall(ref);
    if (call === undefined) throw new Error(decidedText(this.#actions.session?.state, ref, this.#actions.user));
    return call;
  }
}

/** Asks about a call, offering these answers, and to reject it. */
function ask({ question, detail, change }: Question, offers: readonly string[]): Thenable<string | undefined> {
  const diff = change === undefined ? [] : [SHOW_DIFF];
  return askModal(question, detail, ...offers, ...diff, REJECT);
}
