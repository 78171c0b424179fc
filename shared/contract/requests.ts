import * as z from "zod";
import { ApprovalRule, ApprovalSubject, NewApprovalRule } from "./approval.ts";
import { ToolDeclaration } from "./definition.ts";
import { EditedTurn, UndoneEdits } from "./edits.ts";
import { TeamEvent } from "./event.ts";
import { InterruptPreview, MessagePreview, StateInspection, ToolPreview } from "./inspection.ts";
import { request } from "./message-type.ts";
import { ReasoningAck, ReasoningRequest } from "./reasoning.ts";
import { SavedState } from "./saved-state.ts";
import {
  Grace,
  InterruptReceipt,
  InterruptScope,
  QueuedMessage,
  Severity,
  Task,
  TaskResult,
  TeamSnapshot,
  TeamSummary,
} from "./team.ts";

const teamId = z.string().min(1).max(200);
const ofTeam = z.strictObject({ teamId });
const nothing = z.null();

/** What the client passes as LSP `initializationOptions`. Without `storagePath`, state lives in memory only. */
export const InitializationOptions = z.object({
  storagePath: z.string().min(1).optional(),
  /** A folder of the user's own, for rules that hold in every workspace. */
  globalStoragePath: z.string().min(1).optional(),
  user: z.object({ id: z.string().min(1), name: z.string() }).optional(),
});
export type InitializationOptions = z.infer<typeof InitializationOptions>;

/** Client to host, when the user opens a team file or a stored team: makes the team, or opens it with its thread kept. */
export const TeamOpen = request(
  "team/open",
  z.strictObject({ teamId: teamId.optional(), uri: z.string().optional(), definition: z.unknown().optional() }),
  TeamSnapshot,
);

/** Client to host, to offer the stored teams for opening: newest first. */
export const TeamList = request("team/list", z.strictObject({}), z.object({ teams: z.array(TeamSummary) }));

/** Client to host, to set the team to work, with a task or, without one, on from the preserved thread. Resolves when the run ends. */
export const TeamRun = request("team/run", z.strictObject({ teamId, task: Task.optional() }), TaskResult);

/** Client to host, whenever the user wants it to stop: answered with a receipt once all is at rest. */
export const TeamInterrupt = request(
  "team/interrupt",
  z.strictObject({
    teamId,
    scope: InterruptScope.optional(),
    severity: Severity.optional(),
    grace: Grace.optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
  }),
  InterruptReceipt,
);

/** Client to host, before the user interrupts: what an interrupt of that scope would stop now, and what would stay. */
export const TeamPreviewInterrupt = request(
  "team/previewInterrupt",
  z.strictObject({ teamId, scope: InterruptScope.optional() }),
  InterruptPreview,
);

/**
 * Client to host, to speak to one participant, who alone is asked to answer. `timeoutMs` is 120,000 if left out. With `visibility`
 * `target` no other participant is shown the message; a model that chooses the speakers is, and the answer is seen by all.
 */
export const TeamSendUserMessage = request(
  "team/sendUserMessage",
  z.strictObject({
    teamId,
    to: z.string(),
    messages: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    delivery: z.enum(["now", "queue", "steer"]).optional(),
    // biome-ignore lint/suspicious/noThenProperty: the contract names the field so
    then: z.enum(["continue", "pause"]).optional(),
    timeoutMs: z.number().int().positive().max(2_147_483_647).optional(),
    visibility: z.enum(["all", "target"]).optional(),
  }),
  TaskResult,
);

/** Client to host, while the user writes to one participant: when the message would be heard, who is stopped for it, who sees it. */
export const TeamPreviewMessage = request(
  "team/previewMessage",
  z.strictObject({
    teamId,
    to: z.string(),
    delivery: z.enum(["now", "queue", "steer"]).optional(),
    visibility: z.enum(["all", "target"]).optional(),
  }),
  MessagePreview,
);

/**
 * Client to host, for the messages that wait for their time, written anew, taken back or moved before they are given. `order` names
 * all that wait; the whole change is made, or none.
 */
export const TeamQueue = request(
  "team/queue",
  z.strictObject({
    teamId,
    edit: z.strictObject({ id: z.string(), messages: z.array(z.string().min(1)).min(1) }).optional(),
    withdraw: z.array(z.string()).optional(),
    order: z.array(z.string()).optional(),
  }),
  z.object({ queued: z.array(QueuedMessage) }),
);

/**
 * Client to host, to change what an interrupt, a failure or a crash cut short, before the team goes on: a partial message is
 * written anew, or with `content` null taken out of the thread. The team is at rest.
 */
export const TeamEditMessage = request(
  "team/editMessage",
  z.strictObject({
    teamId,
    messageId: z.string(),
    content: z.string().min(1, "give the new text, or null to remove the message").nullable(),
  }),
  TeamSnapshot,
);

const metadata = z.record(z.string(), z.unknown()).optional();

/** Client to host, with the user's rulings on pending tool calls. All of it is taken, or none. */
export const TeamResolveTools = request(
  "team/resolveTools",
  z
    .strictObject({
      teamId,
      respond: z.array(z.strictObject({ ref: z.string(), output: z.unknown() })).optional(),
      restart: z.array(z.strictObject({ ref: z.string(), input: z.unknown().optional(), metadata })).optional(),
      deny: z.array(z.strictObject({ ref: z.string(), reason: z.string().optional() })).optional(),
    })
    .refine((answers) => [answers.respond, answers.restart, answers.deny].some((list) => (list?.length ?? 0) > 0), {
      message: "give at least one answer in respond, restart or deny",
    }),
  z.object({ remaining: z.array(z.string()), result: TaskResult.optional() }),
);

/**
 * Client to host, before the user rules on a pending call: what it would do, with its own input or with `input` in its place. How
 * things stand now; nothing is changed.
 */
export const TeamPreviewTool = request(
  "team/previewTool",
  z.strictObject({ teamId, ref: z.string(), input: z.unknown().optional() }),
  ToolPreview,
);

/** Client to host, for the team as it is now. */
export const TeamInspect = request("team/inspect", ofTeam, TeamSnapshot);

/**
 * Client to host, for the log of what happened: events with `seq` above `after`, at most `limit` (1,000 if left out). `types` gives
 * those of these types alone, such as `reasoning/interrupt` for the audit trail.
 */
export const TeamEvents = request(
  "team/events",
  z.strictObject({
    teamId,
    after: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(10_000).optional(),
    types: z.array(z.string()).min(1).optional(),
  }),
  z.object({ events: z.array(TeamEvent), lastSeq: z.number().int() }),
);

/** Client to host, to take the team's state away as plain JSON. */
export const TeamSaveState = request("team/saveState", ofTeam, SavedState);

/** Client to host, to put a saved state in the place of the team's own. */
export const TeamLoadState = request("team/loadState", z.strictObject({ teamId, state: z.unknown() }), TeamSnapshot);

/** Client to host, to look into a team: who spoke, what each model is shown, what is in flight, how far the conditions have come. */
export const TeamInspectState = request("team/inspectState", ofTeam, StateInspection);

/**
 * Client to host, to make another team of one at rest: the same definition, with the state as it is now taken over, pending calls and
 * waiting messages among it. Each goes its own way from there; what was done to files stays the first one's to undo.
 */
export const TeamFork = request("team/fork", z.strictObject({ teamId, newTeamId: teamId.optional() }), TeamSnapshot);

/** Client to host, to empty the thread and begin anew with the same team. */
export const TeamReset = request("team/reset", ofTeam, TeamSnapshot);

/** Client to host, to forget a team with all that is stored of it. */
export const TeamDelete = request("team/delete", ofTeam, nothing);

/** Client to host, to end the run when the current turn has ended (the `external` condition). */
export const TeamStop = request("team/stop", ofTeam, nothing);

/** Client to host, to interrupt the reasoning of participants, who acknowledge it within 30 s (seed 004). */
export const ReasoningInterrupt = request(
  "reasoning/interrupt",
  z.strictObject({ teamId, ...ReasoningRequest.shape }),
  ReasoningAck,
);

/** Client to host, to offer tools that run in the client (see `tools/call`). */
export const ToolsRegister = request("tools/register", z.strictObject({ tools: z.array(ToolDeclaration) }), nothing);

/** Client to host, to show what the team's turns did to files: those that can be undone, the last edited first. */
export const EditsList = request("edits/list", ofTeam, z.object({ turns: z.array(EditedTurn) }));

/**
 * Client to host, to put back the files of one turn, or of the last one that is not undone. A file that is no longer as the turn left
 * it is left alone, and named. `TeamBusy` while the team runs.
 */
export const EditsUndo = request("edits/undo", z.strictObject({ teamId, turnId: z.string().optional() }), UndoneEdits);

/** Client to host, to show the user's rules for tool calls: all, or those that hold for a team. */
export const ApprovalsList = request(
  "approvals/list",
  z.strictObject({ teamId: teamId.optional() }),
  z.object({ rules: z.array(ApprovalRule) }),
);

/**
 * Client to host, when the user decides for more than one call. The host answers at once every pending call that the rules now
 * decide, and names them in `answered`: the client answers none of these.
 */
export const ApprovalsAdd = request(
  "approvals/add",
  z.strictObject({ rule: NewApprovalRule }),
  z.object({ rule: ApprovalRule, answered: z.array(z.string()) }),
);

/** Client to host, when the user takes a rule back. */
export const ApprovalsRemove = request(
  "approvals/remove",
  z.strictObject({ id: z.string().min(1) }),
  z.object({ removed: z.boolean() }),
);

/** Client to host, to show what of a pending call could be allowed: each choice as the rules that together allow it, the narrowest first. */
export const ApprovalsSuggest = request(
  "approvals/suggest",
  z.strictObject({ teamId, ref: z.string() }),
  z.object({ choices: z.array(z.object({ rules: z.array(ApprovalSubject).min(1) })) }),
);
