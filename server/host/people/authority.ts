import { notAuthorized } from "../../../shared/contract/errors.ts";
import type { Role } from "../../../shared/contract/people.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { nameOf, roleOf } from "../../../shared/state/people.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** What a request does, for who may not do it, and the least role that may: of some requests it depends on their params. */
interface Act {
  readonly least: Role | ((params: Readonly<Record<string, unknown>>) => Role);
  readonly what: string;
}

const reads: Act = { least: "observer", what: "read the team" };
const chair = (what: string): Act => ({ least: "chair", what });
const member = (what: string): Act => ({ least: "member", what });

/** The requests about a team, by method. One that is not listed is for the chair. */
export const ACTS: Readonly<Record<string, Act>> = {
  "team/open": reads,
  "team/follow": reads,
  "team/inspect": reads,
  "team/inspectState": reads,
  "team/events": reads,
  "team/saveState": reads,
  "team/saveStateFile": reads,
  "team/checkpoints": reads,
  "team/commandOutput": reads,
  "team/previewInterrupt": reads,
  "team/previewMessage": reads,
  "team/previewTool": reads,
  "team/isOutdated": reads,
  "team/fileText": reads,
  // The copy is the user's own.
  "team/fork": reads,
  "approvals/list": reads,
  "approvals/suggest": reads,
  "edits/list": reads,
  "edits/changes": reads,
  "edits/file": reads,
  "files/find": reads,
  "mcp/offers": reads,

  "team/run": member("run it"),
  "team/sendUserMessage": member("send it messages"),
  "team/queue": {
    least: ({ edit, withdraw, order }) =>
      [edit, withdraw, order].some((change) => change !== undefined) ? "member" : "observer",
    what: "change its waiting messages",
  },
  "team/interrupt": {
    least: ({ severity }) => (severity === "reset" ? "chair" : "member"),
    what: "interrupt it, or reset it by an interrupt",
  },
  "team/stop": member("stop it"),
  "team/stopCommand": member("stop its commands"),
  "team/resolveTools": member("decide on its tool calls"),
  "reasoning/interrupt": member("interrupt its reasoning"),
  "team/editPlan": member("edit its plans"),
  "team/setModel": member("choose its models"),
  "team/summarizeContext": member("have its contexts summarized"),
  "team/restoreContext": member("undo summaries of its contexts"),
  "agents/check": member("check its agents"),
  "models/check": member("ask its models"),
  "edits/undo": member("undo its edits"),
  "edits/keep": member("keep its edits"),
  // A member may take the chair of somebody who is not there.
  "team/setRole": member("change roles"),

  "team/rename": chair("rename it"),
  "team/editMessage": chair("change messages in its thread"),
  "team/changeParticipants": chair("change who takes part"),
  "team/reset": chair("reset it"),
  "team/rewind": chair("rewind it"),
  "team/loadState": chair("replace its state"),
  "team/loadStateFile": chair("replace its state"),
  "team/delete": chair("delete it"),
  "team/setApprovers": chair("change how many have to approve"),
  "approvals/add": chair("change its approval rules"),
};

/** Who does what in a team, by its state: `chair` is who has it, where the state does not say so yet. */
export interface TeamAct {
  readonly user: string;
  readonly method: string;
  readonly params?: unknown;
}

const RANK: Readonly<Record<Role, number>> = { observer: 0, member: 1, chair: 2 };

/** The least role that may do that. */
export function leastRole(method: string, params: unknown = {}): Role {
  const { least } = ACTS[method] ?? chair("do this");
  return typeof least === "function" ? least(isRecord(params) ? params : {}) : least;
}

/** @throws GavelError `NotAuthorized` if the user's role does not allow the act. */
export function assertAuthorized(state: TeamState, { user, method, params = {} }: TeamAct): void {
  const role = roleOf(state, user);
  const needs = leastRole(method, params);
  const what = ACTS[method]?.what ?? `do this (${method})`;
  if (RANK[role] < RANK[needs]) throw refusal(state, { user, needs, what });
  if (method === "team/queue" && role === "member" && !isOwnChange(state, user, params)) {
    throw notAuthorized("Only the chair, or who sent a waiting message, may change, move or withdraw it.", {
      ...detailsOf(state, user),
    });
  }
}

/** The refusal of what only a user with that role may do. */
export function refusal(
  state: TeamState,
  { user, needs, what }: { readonly user: string; readonly needs: Role; readonly what: string },
): Error {
  const name = state.chair === undefined ? "" : nameOf(state, state.chair);
  const message =
    needs === "chair"
      ? `Only the chair of this team, ${name}, may ${what}; ask ${name} to do it, or for the chair.`
      : `You observe this team and may not ${what}; ask its chair, ${name}, to make you a member.`;
  return notAuthorized(message, { ...detailsOf(state, user), needs });
}

const detailsOf = (state: TeamState, user: string): Readonly<Record<string, unknown>> => ({
  role: roleOf(state, user),
  chair: state.chair,
});

/** Whether a change of the queue leaves the messages of others as they are, and in their order. */
function isOwnChange({ queued }: TeamState, user: string, params: unknown): boolean {
  const {
    edit,
    withdraw = [],
    order,
  } = params as {
    readonly edit?: { readonly id: string };
    readonly withdraw?: readonly string[];
    readonly order?: readonly string[];
  };
  const others = queued.flatMap(({ id, by }) => (by === user ? [] : [id]));
  const changed = [...(edit === undefined ? [] : [edit.id]), ...withdraw];
  if (changed.some((id) => others.includes(id))) return false;
  const left = order?.filter((id) => others.includes(id));
  return left === undefined || left.join("\n") === others.join("\n");
}
