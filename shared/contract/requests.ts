import * as z from "zod";
import { LIMITS } from "../limits.ts";
import { sizeProblem } from "../size-problem.ts";
import { ApprovalRule, ApprovalSubject, NewApprovalRule } from "./approval.ts";
import { Checkpoint } from "./checkpoint.ts";
import { ToolDeclaration } from "./definition.ts";
import {
  ChangedFile,
  ChangedHunk,
  CommandChange,
  EditedTurn,
  SelectedFile,
  UndoneEdits,
  WrittenLines,
} from "./edits.ts";
import { TeamEvent } from "./event.ts";
import { InterruptPreview, MessagePreview, StateInspection, ToolPreview } from "./inspection.ts";
import { ContentPart } from "./message.ts";
import { request } from "./message-type.ts";
import { ChosenModel } from "./model-choice.ts";
import { ReasoningAck, ReasoningRequest } from "./reasoning.ts";
import { SavedState } from "./saved-state.ts";
import { StorageStatus } from "./storage.ts";
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

// Every message in this file is sent by the client to the host.

const teamId = z.string().min(1).max(200);
const ofTeam = z.strictObject({ teamId });
const nothing = z.null();

/** The client's LSP `initializationOptions`. Without `storagePath`, state is kept in memory only. */
export const InitializationOptions = z.object({
  storagePath: z.string().min(1).optional(),
  /** The user's own folder, for approval rules that apply in every workspace. */
  globalStoragePath: z.string().min(1).optional(),
  /**
   * Has scratch folders, made by the client. A team whose file is in one of them works in that folder, and not in the
   * client's; while the client has no folder open, the other teams work in a scratch folder of the host.
   */
  scratchPath: z.string().min(1).optional(),
  user: z.object({ id: z.string().min(1), name: z.string() }).optional(),
});
export type InitializationOptions = z.infer<typeof InitializationOptions>;

/** Opens a team file, a definition or a stored team: creates the team, or opens the stored one with its thread. */
export const TeamOpen = request(
  "team/open",
  z.strictObject({ teamId: teamId.optional(), uri: z.string().optional(), definition: z.unknown().optional() }),
  TeamSnapshot,
);

/** Lists the stored teams, newest first. */
export const TeamList = request("team/list", z.strictObject({}), z.object({ teams: z.array(TeamSummary) }));

/**
 * Finds messages by a part of their text, in any letter case, in all stored teams: the last used first, and in each the last
 * message first, at most 3 of it; at most `limit`, 50 if left out.
 */
export const TeamFind = request(
  "team/find",
  z.strictObject({
    query: z.string().regex(/\S/, "must not be empty").max(200),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  z.object({
    hits: z.array(
      z.object({ teamId: z.string(), messageId: z.string(), source: z.string(), at: z.string(), excerpt: z.string() }),
    ),
  }),
);

/**
 * Starts a run with a task or, without one, continues from the thread. Resolves when the run ends. `handoff` is for the task
 * that a user participant says: one of its `handoffs`, who speaks next.
 */
export const TeamRun = request(
  "team/run",
  z.strictObject({ teamId, task: Task.optional(), handoff: z.string().optional() }),
  TaskResult,
);

/** Interrupts the team or a part of it. Resolves with a receipt when everything in the scope has stopped. */
export const TeamInterrupt = request(
  "team/interrupt",
  z
    .strictObject({
      teamId,
      scope: InterruptScope.optional(),
      severity: Severity.optional(),
      grace: Grace.optional(),
      reason: z.string().optional(),
      message: z.string().optional(),
    })
    .refine(({ scope, severity }) => scope === undefined || severity !== "reset", {
      message: "reset is for the whole team; leave out the scope, or use stop",
      path: ["severity"],
    }),
  InterruptReceipt,
);

/** Tells what an interrupt of that scope would stop now, and what would be kept. Changes nothing. */
export const TeamPreviewInterrupt = request(
  "team/previewInterrupt",
  z.strictObject({ teamId, scope: InterruptScope.optional() }),
  InterruptPreview,
);

/**
 * Sends a message to one participant, and only that participant answers. `timeoutMs` is 120,000 if left out. With
 * `visibility` `target` no other participant is shown the message; a model that selects speakers is, and everyone sees the
 * answer. `context` is what the user attached; it follows the text of the last message. Without `to` it is for the whole
 * team, which goes on with it.
 */
export const TeamSendUserMessage = request(
  "team/sendUserMessage",
  z
    .strictObject({
      teamId,
      to: z.string().optional(),
      messages: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
      delivery: z.enum(["now", "queue", "steer"]).optional(),
      // biome-ignore lint/suspicious/noThenProperty: the protocol fixes the name of the field
      then: z.enum(["continue", "pause"]).optional(),
      timeoutMs: z.number().int().positive().max(2_147_483_647).optional(),
      visibility: z.enum(["all", "target"]).optional(),
      context: z.array(ContentPart).optional(),
    })
    .refine(({ to, visibility }) => to !== undefined || visibility !== "target", {
      message: "say to which participant; a message to the whole team is visible to all",
      path: ["visibility"],
    }),
  TaskResult,
);

/**
 * Tells when a directed message would be delivered, who would be interrupted for it, and who would see it. Changes nothing.
 */
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
 * Edits, withdraws or reorders the messages that wait to be delivered. `order` lists all of them. The whole change is made,
 * or none of it.
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
 * Rewrites a partial message that an interrupt, a failure or a crash left or, with `content` null, removes it from the
 * thread. The team must be at rest.
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

/** Any JSON value within the limits on one. */
const value = z.unknown().superRefine((given, context) => {
  const message = sizeProblem(given, LIMITS.value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const metadata = z.record(z.string(), value).optional();

/** Gives the user's decisions on pending tool calls. All of them are applied, or none. */
export const TeamResolveTools = request(
  "team/resolveTools",
  z
    .strictObject({
      teamId,
      respond: z.array(z.strictObject({ ref: z.string(), output: value })).optional(),
      restart: z.array(z.strictObject({ ref: z.string(), input: value.optional(), metadata })).optional(),
      deny: z.array(z.strictObject({ ref: z.string(), reason: z.string().optional() })).optional(),
    })
    .refine((answers) => [answers.respond, answers.restart, answers.deny].some((list) => (list?.length ?? 0) > 0), {
      message: "give at least one answer in respond, restart or deny",
    }),
  z.object({ remaining: z.array(z.string()), result: TaskResult.optional() }),
);

/**
 * Tells what a pending call would do now, with its own input or with `input`. Changes nothing.
 */
export const TeamPreviewTool = request(
  "team/previewTool",
  z.strictObject({ teamId, ref: z.string(), input: z.unknown().optional() }),
  ToolPreview,
);

/** Gets the team as it is now. */
export const TeamInspect = request("team/inspect", ofTeam, TeamSnapshot);

/**
 * Reads the event log: events with a `seq` above `after`, at most `limit` of them (1,000 if left out). `types` restricts
 * them to these types, such as `reasoning/interrupt` for the audit trail.
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

/** Gets the team's state as plain JSON. */
export const TeamSaveState = request("team/saveState", ofTeam, SavedState);

/** Replaces the team's state with a saved one. */
export const TeamLoadState = request("team/loadState", z.strictObject({ teamId, state: z.unknown() }), TeamSnapshot);

/** Gets the team's state in detail: who spoke, what each model is shown, open calls, the progress of the conditions. */
export const TeamInspectState = request("team/inspectState", ofTeam, StateInspection);

/**
 * Copies a team at rest into a new team with the same definition and state, including pending calls and waiting messages.
 * Edits to files can still be undone only in the original. The copy has a title of its own, such as "NAME (fork)".
 */
export const TeamFork = request("team/fork", z.strictObject({ teamId, newTeamId: teamId.optional() }), TeamSnapshot);

/** Gives the team a title of its own, which users see in place of its name, or removes it. */
export const TeamRename = request(
  "team/rename",
  z.strictObject({ teamId, title: z.string().regex(/\S/, "must not be empty").max(LIMITS.title).nullable() }),
  nothing,
);

/**
 * Chooses the model of a participant (`to`, as in `team/sendUserMessage`), or of the whole team, in place of that of the
 * definition; `null` goes back to it. It is used from the next turn on. `TeamBusy` while a turn of the participant runs, or
 * for the whole team a run.
 */
export const TeamSetModel = request(
  "team/setModel",
  z.strictObject({ teamId, to: z.string().optional(), model: ChosenModel.nullable() }),
  TeamSnapshot,
);

/** Empties the thread, so that the same team starts over. */
export const TeamReset = request("team/reset", ofTeam, TeamSnapshot);

/** Lists the points that the team can go back to, the last first. */
export const TeamCheckpoints = request("team/checkpoints", ofTeam, z.object({ checkpoints: z.array(Checkpoint) }));

/**
 * Takes the team back to its state right after an event, by a `state/loaded` event: what came later stays in the event log.
 * `from` is where it was, so that rewinding to it undoes this. Files are not changed. `TeamBusy` while the team runs.
 */
export const TeamRewind = request(
  "team/rewind",
  z.strictObject({ teamId, seq: z.number().int().min(0) }),
  z.object({ team: TeamSnapshot, from: z.number().int() }),
);

/** Deletes a team and everything stored for it. */
export const TeamDelete = request("team/delete", ofTeam, nothing);

/** Ends the run when the current turn ends (the `external` condition). */
export const TeamStop = request("team/stop", ofTeam, nothing);

/** Asks participants to interrupt their reasoning; each acknowledges within 30 s. */
export const ReasoningInterrupt = request(
  "reasoning/interrupt",
  z.strictObject({ teamId, ...ReasoningRequest.shape }),
  ReasoningAck,
);

/** Offers tools that run in the client (see `tools/call`). */
export const ToolsRegister = request("tools/register", z.strictObject({ tools: z.array(ToolDeclaration) }), nothing);

/** Lists the turns that edited files and can be undone, the last edited first. */
export const EditsList = request("edits/list", ofTeam, z.object({ turns: z.array(EditedTurn) }));

/**
 * Restores what the team changed: in one turn, in some files or hunks, in all files, or after an event. Without any of
 * these, in the last turn that is not undone. What the user changed in other lines is kept; a file with changes in the same
 * lines is left as it is and named, unless `overwrite` is set. `TeamBusy` while the team runs.
 */
export const EditsUndo = request(
  "edits/undo",
  z
    .strictObject({
      teamId,
      turnId: z.string().optional(),
      files: z.array(SelectedFile).optional(),
      all: z.literal(true).optional(),
      after: z.number().int().min(0).optional(),
      overwrite: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    })
    .refine(
      ({ turnId, files, all, after }) => [turnId, files, all, after].filter((one) => one !== undefined).length < 2,
      {
        message: "give only one of turnId, files, all and after",
      },
    ),
  UndoneEdits,
);

/** Lists the files that the team has changed and the user has not kept yet, and those that changed while a command ran. */
export const EditsChanges = request(
  "edits/changes",
  ofTeam,
  z.object({ files: z.array(ChangedFile), commands: z.array(CommandChange) }),
);

/**
 * Tells what the team changed in one file. `base` is the text without that, `now` the text as it is, unsaved changes
 * included; null for no file, or one that is no text. `written` says who wrote lines, also of changes that are kept.
 */
export const EditsFile = request(
  "edits/file",
  z.strictObject({ teamId, path: z.string().min(1) }),
  z.object({
    base: z.string().nullable(),
    now: z.string().nullable(),
    hunks: z.array(ChangedHunk),
    written: z.array(WrittenLines),
  }),
);

/** Keeps what the team changed, in all files or in some files or hunks: it is no longer listed as a change. */
export const EditsKeep = request(
  "edits/keep",
  z.strictObject({ teamId, files: z.array(SelectedFile).optional() }),
  z.object({ kept: z.array(z.string()), left: z.array(z.object({ path: z.string(), reason: z.string() })) }),
);

/**
 * Finds files of the open folders by a part of their paths, without those that `.gitignore` excludes, the best matches
 * first; at most `limit`, 50 if left out. `secret` says why a file may hold secrets.
 */
export const FilesFind = request(
  "files/find",
  z.strictObject({ query: z.string().max(1000), limit: z.number().int().min(1).max(1000).optional() }),
  z.object({ files: z.array(z.object({ uri: z.string(), path: z.string(), secret: z.string().optional() })) }),
);

/**
 * Tells which of these files may hold secrets, and why. Asked before the user attaches them to a message. A file of another
 * scheme, such as `git:` or `vscode-vfs:`, is judged by its name.
 */
export const FilesSecrets = request(
  "files/secrets",
  z.strictObject({ uris: z.array(z.string().max(10_000)).max(1000) }),
  z.object({ secrets: z.array(z.object({ uri: z.string(), why: z.string() })) }),
);

/** Lists the user's approval rules: all, or those that apply to a team. */
export const ApprovalsList = request(
  "approvals/list",
  z.strictObject({ teamId: teamId.optional() }),
  z.object({ rules: z.array(ApprovalRule) }),
);

/**
 * Adds an approval rule, a decision for more than one call. The host at once resolves every pending call that the rules now
 * decide, and lists them in `answered`: the client must not resolve these. With `shown`, that call makes exactly the change
 * that the user was shown, or none.
 */
export const ApprovalsAdd = request(
  "approvals/add",
  z.strictObject({
    rule: NewApprovalRule,
    shown: z.strictObject({ teamId, ref: z.string(), preview: z.string() }).optional(),
  }),
  z.object({ rule: ApprovalRule, answered: z.array(z.string()), note: z.string().exactOptional() }),
);

/** Removes an approval rule. */
export const ApprovalsRemove = request(
  "approvals/remove",
  z.strictObject({ id: z.string().min(1) }),
  z.object({ removed: z.boolean() }),
);

/** Suggests rules for a pending call: each choice is the rules that together would allow it, the narrowest first. */
export const ApprovalsSuggest = request(
  "approvals/suggest",
  z.strictObject({ teamId, ref: z.string() }),
  z.object({ choices: z.array(z.object({ rules: z.array(ApprovalSubject).min(1) })) }),
);

/** Sent when the user no longer allows an endpoint: the host asks again with `endpoints/allow` before it uses it. */
export const EndpointsForget = request("endpoints/forget", z.strictObject({ origin: z.string().min(1) }), nothing);

/**
 * What the user wants to do about a storage that cannot be written: try again, which the host also does by itself, or
 * continue without saving. Every tool call that may have an effect then asks, until everything is stored.
 */
export const StorageResolve = request(
  "storage/resolve",
  z.strictObject({ action: z.enum(["retry", "continueWithoutSaving"]) }),
  StorageStatus,
);
