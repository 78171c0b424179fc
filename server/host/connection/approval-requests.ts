import { invalidResume } from "../../../shared/contract/errors.ts";
import * as contract from "../../../shared/contract/requests.ts";
import type { Host } from "../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about the user's approval rules. */
export function bindApprovalRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.ApprovalsList, ({ teamId }) => ({ rules: host().approvals.list(teamId) }));
  bindRequest(options, contract.ApprovalsAdd, ({ rule }) => {
    const { approvals, sessions } = host();
    const kept = approvals.add(rule);
    return { rule: kept, answered: sessions.answerDecided((teamId, pending) => approvals.answers(teamId, pending)) };
  });
  bindRequest(options, contract.ApprovalsRemove, ({ id }) => ({ removed: host().approvals.remove(id) }));
  bindRequest(options, contract.ApprovalsSuggest, ({ teamId, ref }) => {
    const { pendingTools } = host().sessions.get(teamId).current();
    const pending = pendingTools.find((call) => call.ref === ref);
    if (pending === undefined)
      throw invalidResume(`Call ${ref} is not pending; it may have been resolved already.`, { refs: [ref] });
    return {
      choices: host()
        .approvals.suggest(teamId, pending)
        .map((rules) => ({ rules })),
    };
  });
}
