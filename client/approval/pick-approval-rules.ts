import { type QuickPickItem, window } from "vscode";
import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import { ruleText } from "../../shared/contract/approval-text.ts";
import { plainText } from "../common/plain-text.ts";
import { LEGEND, visibleText } from "../common/visible-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import type { ApprovalRuleScope } from "../team/team-actions.ts";

/** The longest text of a list row, in characters; a longer one is shown in full before it is allowed. */
const MAX_ROW_LENGTH = 80;
/**
 * The longest text of a dialog, in characters. Of a longer input only this exact input can be allowed, as the user has
 * read it.
 */
const MAX_DIALOG_LENGTH = 1500;
const ALLOW = "Allow Without Asking";

const SCOPE_TEXT: Readonly<Record<ApprovalRuleScope, string>> = {
  run: "in this run",
  workspace: "in this workspace",
  always: "in every workspace",
};

type Choice = QuickPickItem & {
  readonly rules: readonly ApprovalSubject[];
  readonly text: string;
  readonly whole: boolean;
};

/**
 * Lets the user pick which calls run without asking.
 * @param choices each is the rules that it adds.
 * @returns undefined when nothing was picked.
 */
export async function pickApprovalRules(
  choices: readonly (readonly ApprovalSubject[])[],
  scope: ApprovalRuleScope,
): Promise<readonly ApprovalSubject[] | undefined> {
  const items = choices.map(choiceFor).filter(({ text, rules }) => isExact(rules) || text.length <= MAX_DIALOG_LENGTH);
  const choice = await window.showQuickPick(items, {
    title: `Allow Without Asking ${SCOPE_TEXT[scope]}`,
    placeHolder: "Select which calls may run without asking, from this exact input to every call of the tool",
    ignoreFocusOut: true,
  });
  if (choice === undefined || !(choice.whole || (await confirmed(choice, scope)))) return undefined;
  return choice.rules;
}

const isExact = ([rule]: readonly ApprovalSubject[]): boolean => rule?.input !== undefined;

function choiceFor(rules: readonly ApprovalSubject[]): Choice {
  const shown = rules.map((rule) => visibleText(ruleText(rule)));
  const lines = shown.map(({ text }) => text);
  const written = shown.some((one) => one.written);
  const text = [...lines, ...(written ? [LEGEND] : [])].join("\n");
  const whole = !written && lines.join("; ").length <= MAX_ROW_LENGTH;
  return { label: labelFor(rules), detail: plainText(lines.join("; ")), rules, text, whole: whole || isExact(rules) };
}

function labelFor(rules: readonly ApprovalSubject[]): string {
  const commands = rules.filter(({ command }) => command !== undefined);
  if (isExact(rules)) return "Exactly This Input";
  if (commands.length > 0) {
    const what = commands.length === 1 ? "This Command" : "These Commands";
    return commands.some(({ command }) => command?.endsWith(" *")) ? `${what} with Any Further Arguments` : what;
  }
  return rules.some(({ path }) => path !== undefined) ? "This Path with Any Other Input" : "Every Call of This Tool";
}

/** Shows in full what the list cut off or could not show. */
async function confirmed({ text }: Choice, scope: ApprovalRuleScope): Promise<boolean> {
  const question = `Allow this without asking ${SCOPE_TEXT[scope]}?`;
  return (await askModal(question, text, ALLOW)) === ALLOW;
}
