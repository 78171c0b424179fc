import * as contract from "../../../../shared/contract/requests.ts";
import { ruleNote } from "../../../engine/index.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about the user's approval rules. */
export function bindApprovalRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.ApprovalsList, async ({ teamId }) => ({ rules: await host().approvals.list(teamId) }));
  bindRequest(options, contract.ApprovalsAdd, async ({ rule, shown }) => {
    const { approvals, sessions } = host();
    if (rule.team !== undefined) await sessions.authorize(rule.team, contract.ApprovalsAdd.method, rule);
    const kept = await approvals.add(rule);
    const answered = await sessions.answerDecided((calls) => approvals.answers(calls, shown));
    const note = ruleNote(kept);
    return { rule: kept, answered, ...(note === undefined ? {} : { note }) };
  });
  bindRequest(options, contract.ApprovalsRemove, async ({ id }) => ({ removed: await host().approvals.remove(id) }));
  bindRequest(options, contract.ApprovalsSuggest, async ({ teamId, ref }) => {
    const call = await (await host().sessions.get(teamId)).read((team) => team.callToApprove(ref));
    const choices = call === undefined ? [] : await host().approvals.suggest(call);
    return { choices: choices.map((rules) => ({ rules })) };
  });
}
