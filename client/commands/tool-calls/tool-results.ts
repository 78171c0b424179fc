import { window } from "vscode";
import { ApprovalsAdd } from "../../../shared/contract/requests.ts";
import { waitingResultOf } from "../../../shared/reviewed-result.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { ruleScopes } from "../../approval/call-question.ts";
import type { RuleScope } from "../../common/call-card.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { requireTrust } from "../../trust.ts";
import type { Command } from "../command.ts";

const SCOPE_LABELS: Readonly<Record<RuleScope, string>> = {
  run: "In This Run",
  workspace: "In This Workspace",
  always: "Always",
};

/** Opens a result that waits for review in an editor: saving it there sends the edited one. */
export const editToolResult: Command = async ({ actions, messages, opener }, argument) => {
  requireTrust();
  await opener.restore();
  const { teamId, pendingTools } = actions.team;
  const call = pendingTools.find(
    (one) => waitingResultOf(one) !== undefined && (typeof argument !== "string" || one.ref === argument),
  );
  if (call === undefined) throw new Error("No tool result waits for your review.");
  const name = visibleText(`Result of ${call.name}`).text;
  const isText = typeof waitingResultOf(call)?.output === "string";
  await messages.open({ kind: "result", teamId, id: call.ref }, `${name}.${isText ? "txt" : "json"}`);
  void notify(
    "info",
    `Save the result to send it to ${call.participant} as edited, or close it to decide in the chat.`,
  );
};

/** Adds a rule with which the user reviews what a tool gives, before the model sees it. */
export const reviewToolResults: Command = async ({ actions, host, opener }) => {
  requireTrust();
  await opener.restore();
  const { teamId } = actions.team;
  const tool = await askText({
    title: "Review Tool Results",
    prompt:
      "The tool whose results wait for you before the model sees them. * stands for any characters, alone for every tool.",
    value: "*",
    placeHolder: "webFetch",
    validateInput: (value) =>
      value.trim() === "" || value.length > 200 ? "Enter the name of a tool, or *." : undefined,
  });
  if (tool === undefined) return;
  const scopes = ruleScopes(actions).map((scope) => ({ label: SCOPE_LABELS[scope], scope }));
  const chosen = await window.showQuickPick(scopes, {
    title: "Review Tool Results",
    placeHolder: "Select for how long",
  });
  if (chosen === undefined) return;
  const { scope } = chosen;
  const team = scope === "run" ? { team: teamId } : {};
  await host.request(ApprovalsAdd, { rule: { decision: "review", tool: tool.trim(), scope, ...team } });
  const what = tool.trim() === "*" ? "all tools" : visibleText(tool.trim()).text;
  void notify("info", `Results of ${what} now wait for you. To end this, remove the rule under Gavel: Approval Rules.`);
};
