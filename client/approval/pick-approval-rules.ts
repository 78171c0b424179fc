import { type QuickPickItem, window } from "vscode";
import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import { ruleText } from "../../shared/contract/approval-text.ts";
import { LEGEND, visibleText } from "../common/visible-text.ts";
import type { ApprovalRuleScope } from "../team/team-actions.ts";

/** What fits a line of a list; what is longer is shown whole before it is allowed. */
const MOST_IN_A_LINE = 80;
/** What fits a dialog; of what is longer only the input itself can be allowed, which the user has read. */
const MOST_IN_A_DIALOG = 1500;
const ALLOW = "Allow Without Asking";

const WHEN: Readonly<Record<ApprovalRuleScope, string>> = {
  run: "in this run",
  workspace: "in this workspace",
  always: "always, in every workspace",
};

type Choice = QuickPickItem & {
  readonly rules: readonly ApprovalSubject[];
  readonly text: string;
  readonly whole: boolean;
};

/** Lets the user say which calls run without asking; undefined when nothing was chosen. Each choice is the rules that it takes. */
export async function pickApprovalRules(
  choices: readonly (readonly ApprovalSubject[])[],
  scope: ApprovalRuleScope,
): Promise<readonly ApprovalSubject[] | undefined> {
  const items = choices.map(choiceFor).filter(({ text, rules }) => isExact(rules) || text.length <= MOST_IN_A_DIALOG);
  const choice = await window.showQuickPick(items, {
    title: `What May Run Without Asking, ${WHEN[scope]}?`,
    placeHolder: "From this call alone to every call of the tool",
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
  const whole = !written && lines.join("; ").length <= MOST_IN_A_LINE;
  return { label: labelFor(rules), detail: lines.join("; "), rules, text, whole: whole || isExact(rules) };
}

function labelFor(rules: readonly ApprovalSubject[]): string {
  const commands = rules.filter(({ command }) => command !== undefined);
  if (isExact(rules)) return "Exactly This Input";
  if (commands.length > 0) {
    const what = commands.length === 1 ? "This Command" : "These Commands";
    return commands.some(({ command }) => command?.endsWith(" *")) ? `${what}, Whatever Follows` : what;
  }
  return rules.some(({ path }) => path !== undefined)
    ? "This Path, Whatever Else the Input Says"
    : "Every Call of This Tool";
}

/** The whole of what the list cut off or could not show. */
async function confirmed({ text }: Choice, scope: ApprovalRuleScope): Promise<boolean> {
  const question = `Allow this without asking, ${WHEN[scope]}?`;
  return (await window.showWarningMessage(question, { modal: true, detail: text }, ALLOW)) === ALLOW;
}
