import * as z from "zod";
import { ToolDeclaration } from "./definition.ts";
import { TeamEvent } from "./event.ts";
import { SavedState } from "./saved-state.ts";
import {
  Grace,
  InterruptReceipt,
  InterruptScope,
  Severity,
  Task,
  TaskResult,
  TeamSnapshot,
  TeamSummary,
} from "./team.ts";

/** A request of the contract: its name on the wire, and what goes over it both ways. */
export interface RequestMessage<P extends z.ZodType, R extends z.ZodType> {
  readonly kind: "request";
  readonly method: string;
  readonly params: P;
  readonly result: R;
}

/** A notification of the contract. */
export interface NotificationMessage<P extends z.ZodType> {
  readonly kind: "notification";
  readonly method: string;
  readonly params: P;
}

export type ParamsOf<M> = M extends { readonly params: z.ZodType<infer P> } ? P : never;
export type ResultOf<M> = M extends { readonly result: z.ZodType<infer R> } ? R : never;

const request = <P extends z.ZodType, R extends z.ZodType>(
  method: string,
  params: P,
  result: R,
): RequestMessage<P, R> => ({
  kind: "request",
  method,
  params,
  result,
});
const notification = <P extends z.ZodType>(method: string, params: P): NotificationMessage<P> => ({
  kind: "notification",
  method,
  params,
});

const teamId = z.string().min(1).max(200);
const ofTeam = z.strictObject({ teamId });
const nothing = z.null();

/** What the client passes as LSP `initializationOptions`. Without `storagePath`, state lives in memory only. */
export const InitializationOptions = z.object({
  storagePath: z.string().min(1).optional(),
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

/** Client to host, to speak to one participant, who alone is asked to answer. `timeoutMs` is 120,000 if left out. */
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
  }),
  TaskResult,
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

/** Client to host, for the team as it is now. */
export const TeamInspect = request("team/inspect", ofTeam, TeamSnapshot);

/** Client to host, for the log of what happened: events with `seq` above `after`, at most `limit` (1,000 if left out). */
export const TeamEvents = request(
  "team/events",
  z.strictObject({
    teamId,
    after: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(10_000).optional(),
  }),
  z.object({ events: z.array(TeamEvent), lastSeq: z.number().int() }),
);

/** Client to host, to take the team's state away as plain JSON. */
export const TeamSaveState = request("team/saveState", ofTeam, SavedState);

/** Client to host, to put a saved state in the place of the team's own. */
export const TeamLoadState = request("team/loadState", z.strictObject({ teamId, state: z.unknown() }), TeamSnapshot);

/** Client to host, to empty the thread and begin anew with the same team. */
export const TeamReset = request("team/reset", ofTeam, TeamSnapshot);

/** Client to host, to forget a team with all that is stored of it. */
export const TeamDelete = request("team/delete", ofTeam, nothing);

/** Client to host, to end the run when the current turn has ended (the `external` condition). */
export const TeamStop = request("team/stop", ofTeam, nothing);

/** Client to host, to stop one participant's reasoning, with an acknowledgement (seed 004). */
export const ReasoningInterrupt = request(
  "reasoning/interrupt",
  z.strictObject({
    teamId,
    from: z.string(),
    to: z.array(z.string()).min(1, "name at least one participant in `to`"),
    correlation_id: z.array(z.string()).min(1, "name the reasoning sequence in `correlation_id`"),
    payload: z
      .strictObject({
        reason: z.enum(["timeout", "redirect", "error", "user_request", "resource_limit", "other"]),
        message: z.string().min(1).optional(),
      })
      .refine((payload) => payload.reason !== "other" || payload.message !== undefined, {
        message: "the reason `other` needs a message",
        path: ["message"],
      }),
  }),
  z.object({
    id: z.string(),
    from: z.string(),
    correlation_id: z.array(z.string()),
    payload: z.object({
      status: z.enum(["stopping", "completing_thought", "continuing", "ignored"]),
      message: z.string().optional(),
    }),
  }),
);

/** Client to host, to offer tools that run in the client (see {@link ToolsCall}). */
export const ToolsRegister = request("tools/register", z.strictObject({ tools: z.array(ToolDeclaration) }), nothing);

/** Host to client, for every event of a team that the client has opened, in order. */
export const TeamEventNotification = notification("team/event", z.object({ teamId, event: TeamEvent }));

/**
 * Host to client, when a model needs a key. The host keeps it in memory for the request alone. `endpoint` is the host name (and
 * port) that it will be sent to, so that the client can refuse to send it anywhere else.
 */
export const CredentialsGet = request(
  "credentials/get",
  z.object({ secret: z.string(), endpoint: z.string().optional() }),
  z.object({ value: z.string().nullable() }),
);

/** Host to client, to run a tool that the client registered. Cancelled with `$/cancelRequest`. */
export const ToolsCall = request(
  "tools/call",
  z.object({
    teamId,
    participant: z.string(),
    ref: z.string(),
    name: z.string(),
    input: z.unknown(),
    metadata,
  }),
  z.union([
    z.strictObject({ output: z.unknown() }),
    z.strictObject({ error: z.string() }),
    z.strictObject({ interrupt: z.unknown() }),
  ]),
);
