import { type QuickInputButton, type QuickPick, type QuickPickItem, ThemeIcon, window } from "vscode";
import type { ApprovalDecision, ApprovalRule } from "../../../shared/contract/approval.ts";
import { ruleText } from "../../../shared/contract/approval-text.ts";
import { ApprovalsList, ApprovalsRemove } from "../../../shared/contract/requests.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import { Disposables } from "../../disposables.ts";
import type { Command, Services } from "../command.ts";

const REMOVE: QuickInputButton = { iconPath: new ThemeIcon("trash"), tooltip: "Remove This Rule…" };
const CONFIRM = "Remove Rule";

const LABELS: Readonly<Record<ApprovalDecision, string>> = {
  allow: "$(check) Allow",
  deny: "$(close) Deny",
  ask: "$(question) Ask",
  review: "$(eye) Review Result",
};

type RuleItem = QuickPickItem & { readonly rule: ApprovalRule };

/** Lists the rules that resolve tool calls without asking. Picking one shows it in full and offers to remove it. */
export const approvalRules: Command = async (services) => {
  const { rules } = await services.host.request(ApprovalsList, {});
  if (rules.length === 0) {
    void notify("info", "There are no approval rules. You are asked about every tool call that needs approval.");
    return;
  }
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<RuleItem>());
  picker.title = "Approval Rules";
  picker.placeholder = "Select a rule to see it in full or to remove it";
  picker.matchOnDetail = true;
  picker.items = rules.map(itemFor);
  try {
    await new Promise<void>((resolve) => {
      scope.add(picker.onDidHide(() => resolve()));
      scope.add(picker.onDidAccept(() => void removeFrom(picker, picker.selectedItems[0], services)));
      scope.add(picker.onDidTriggerItemButton(({ item }) => void removeFrom(picker, item, services)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
};

/** The list stays open while the dialog has the focus. */
async function removeFrom(
  picker: QuickPick<RuleItem>,
  item: RuleItem | undefined,
  { host, notices }: Services,
): Promise<void> {
  if (item === undefined) return;
  picker.ignoreFocusOut = true;
  try {
    if (!(await confirmed(item.rule))) return;
    await host.request(ApprovalsRemove, { id: item.rule.id });
    picker.items = picker.items.filter(({ rule }) => rule.id !== item.rule.id);
  } catch (error) {
    notices.report(error);
  } finally {
    picker.ignoreFocusOut = false;
  }
}

async function confirmed(rule: ApprovalRule): Promise<boolean> {
  const detail = `${rule.decision}: ${visibleText(ruleText(rule)).text}`;
  return (await askModal("Remove this approval rule?", detail, CONFIRM)) === CONFIRM;
}

function itemFor(rule: ApprovalRule): RuleItem {
  return { rule, label: LABELS[rule.decision], detail: plainText(visibleText(ruleText(rule)).text), buttons: [REMOVE] };
}
