import { commandFolder } from "../../approval/call-question.ts";
import { withApprovals, withPreview } from "../../approval/question-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { callApprovals } from "../../session/call-approvals.ts";
import { askers, type UserRequest } from "../../session/user-requests.ts";
import { RequestItem } from "../../status/approvals-view.ts";
import { toolCallText } from "../../text/tool-call-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";

const ACCEPT = "Accept";
const REJECT = "Reject";

/**
 * Decides a row of the Approvals view: the dialog shows exactly what would run, and one answer is for all participants and
 * teams that ask it. What has an answer of its own, changes a file, or is too long for a dialog, is decided on its card.
 */
export const decideRequest: Command = async (services, argument) => {
  const request = requestIn(argument);
  if (request === undefined) return;
  requireTrust();
  if (request.kind !== "approval") return show(services, request);
  const { session, call } = request.first;
  const { who } = askers(request.calls);
  const actions = services.actionsFor(session);
  const preview = await actions.previewTool(call.ref);
  const approvals = callApprovals(actions.team, call, actions.user);
  const { question, detail, complete, change } = withApprovals(
    withPreview(toolCallText(call, commandFolder(actions), who), preview),
    approvals.text,
  );
  if (!complete || change !== undefined || approvals.own !== "decide") return show(services, request);
  const answer = await askModal(question, detail, ACCEPT, REJECT);
  if (answer !== undefined) await decide(services, request, answer === ACCEPT ? "approve" : "deny");
};

/** Shows the team of a row of the Approvals view, where its call waits. */
export const showRequest: Command = async (services, argument) => {
  const request = requestIn(argument);
  if (request !== undefined) await show(services, request);
};

/** Of each team one call: its identical ones are decided with it. */
async function decide(
  { actionsFor }: Services,
  { calls }: Extract<UserRequest, { readonly kind: "approval" | "question" }>,
  how: "approve" | "deny",
): Promise<void> {
  const teams = new Map(calls.map((each) => [each.session, each.call.ref]));
  const pending = [...teams].filter(([session, ref]) => actionsFor(session).pendingCall(ref) !== undefined);
  await Promise.all(pending.map(([session, ref]) => actionsFor(session).resolveToolCalls(ref, { how })));
}

async function show({ teams, chat }: Services, request: UserRequest): Promise<void> {
  if (request.kind === "turn") {
    teams.activate(request.session);
    return chat.focus();
  }
  const { session, call } = request.first;
  teams.activate(session);
  await chat.reveal({ type: "revealCall", ref: call.ref, decision: "accept" });
}

function requestIn(argument: unknown): UserRequest | undefined {
  if (argument instanceof RequestItem) return argument.request;
  // Menus pass the tree's element.
  return isRequest(argument) ? argument : undefined;
}

function isRequest(value: unknown): value is UserRequest {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  return value.kind === "turn" ? "session" in value : "first" in value && "calls" in value;
}
