import { type QuickPickItem, window } from "vscode";
import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import { LEGEND } from "../../shared/text/visible-text.ts";
import { plainText } from "../common/plain-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import type { ApprovalRuleScope } from "../session/team-actions.ts";
import { describedRules, isShowable } from "./described-rules.ts";

/** The longest text of a list row, in characters; a longer one is shown in full before it is allowed. */
const MAX_ROW_LENGTH = 80;
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
  const items = choices.filter(isShowable).map(choiceFor);
  const choice = await window.showQuickPick(items, {
    title: `Allow Without Asking ${SCOPE_TEXT[scope]}`,
    placeHolder: "Select which calls may run without asking, from this exact input to every call of the tool",
    ignoreFocusOut: true,
  });
  if (choice === undefined || !(choice.whole || (await confirmed(choice, scope)))) return undefined;
  return choice.rules;
}

function choiceFor(rules: readonly ApprovalSubject[]): Choice {
  const { label, shown, written, isExact } = describedRules(rules);
  const text = [...shown, ...(written ? [LEGEND] : [])].join("\n");
  const whole = isExact || (!written && shown.join("; ").length <= MAX_ROW_LENGTH);
  return { label, detail: plainText(shown.join("; ")), rules, text, whole };
}

/** Shows in full what the list cut off or could not show. */
async function confirmed({ text }: Choice, scope: ApprovalRuleScope): Promise<boolean> {
  const question = `Allow this without asking ${SCOPE_TEXT[scope]}?`;
  return (await askModal(question, text, ALLOW)) === ALLOW;
}
