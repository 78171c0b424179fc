import { isDeepStrictEqual } from "node:util";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import type { InterruptReceipt, InterruptScope, OpenTurn, Severity } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import type { ReplaySession } from "./replay-session.ts";
import { ANSWER, SCRIPT_ENDED } from "./scripted-replies.ts";
import type { ObservedStep } from "./team-observer.ts";

const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];

/** Events allowed between the acknowledgement of an interrupt of the whole team and its next run: open things are closed. */
const WHILE_ENDING: ReadonlySet<TeamEvent["type"]> = new Set([
  "handoff",
  "interrupt/requested",
  "interrupt/acknowledged",
  "interrupt/completed",
  "message/added",
  "reasoning/conclusion",
  "run/ended",
  "team/reset",
  "tool/abandoned",
  "tool/executed",
  "tool/interrupted",
  "tool/output",
  "userMessage/answered",
  "userMessage/delivered",
  "userMessage/queued",
  "userMessage/withdrawn",
]);

type Recorded = Readonly<Record<string, readonly string[]>>;

const ROOT = "the team";

/** The violations of what must hold for an idle team. A nested team's turn may stay open, to be resumed. */
export function idleProblems(state: TeamState, where = ROOT): string[] {
  const { status, run, streaming, calls, openTurns, pendingTools, inner = {} } = state;
  const waiting = new Set(pendingTools.map(({ participant, path }) => path?.[0] ?? participant));
  const isOpen = ({ participant, awaits }: OpenTurn): boolean => awaits === undefined && !waiting.has(participant);
  const open = where === ROOT ? openTurns.filter(isOpen) : [];
  const busy = calls.filter(({ abandoned }) => !abandoned);
  return [
    ...(status === "running" || status === "interrupting" || run !== null
      ? [`${where} is idle and has the status ${status}`]
      : []),
    ...(streaming.length > 0 ? [`${where} is idle, and a message is still open`] : []),
    ...open.map(({ participant }) => `${where} is idle, and the turn of ${participant} is still open`),
    ...busy.map(({ ref }) => `${where} is idle, and the call ${ref} is still open`),
    ...((status === "awaitingTools") === pendingTools.length > 0
      ? []
      : [`${where} is ${status} with ${pendingTools.length} pending calls`]),
    ...Object.entries(inner).flatMap(([name, team]) => idleProblems(team, `the nested team ${name}`)),
  ];
}

/** The violations of what must hold for a whole session: one result for each call, no duplicates, the state is the fold. */
export function sessionProblems({ fixture }: ReplaySession): string[] {
  const { kept } = fixture.journal;
  const count = (type: TeamEvent["type"]): number => kept.filter((event) => event.type === type && !event.path).length;
  return [
    ...(isDeepStrictEqual(fixture.folded(), fixture.team.state)
      ? []
      : ["the state is not the fold of the stored events"]),
    ...(count("run/started") > count("run/ended") ? ["a run started and never ended"] : []),
    ...callsWithoutOneResult(kept),
    ...equalRefs(kept),
    ...duplicateMessages(kept),
    ...lostTexts(kept),
  ];
}

/** The prefix of names in an event: the path of its nested team, if any. */
const pathPrefix = ({ path = [] }: TeamEvent): string => path.map((name) => `${name}/`).join("");

function callsWithoutOneResult(events: readonly TeamEvent[]): string[] {
  const results = new Map<string, number>();
  for (const event of events) {
    const place = pathPrefix(event);
    const add = (ref: string, more: number): unknown =>
      results.set(place + ref, (results.get(place + ref) ?? 0) + more);
    if (event.type === "tool/requested") for (const { ref } of event.calls) add(ref, 0);
    if (event.type === "tool/executed") add(event.ref, 1);
    if (event.type !== "team/reset") continue;
    // A reset forgets calls.
    for (const key of results.keys()) if (key.startsWith(place)) results.delete(key);
  }
  return [...results].flatMap(([ref, count]) => (count === 1 ? [] : [`the call ${ref} has ${count} results`]));
}

/** A ref is unique in the whole tree, also after a reset. */
function equalRefs(events: readonly TeamEvent[]): string[] {
  const refs = events.flatMap((event) => (event.type === "tool/requested" ? event.calls.map(({ ref }) => ref) : []));
  return refs.flatMap((ref, at) => (refs.indexOf(ref) === at ? [] : [`two calls have the ref ${ref}`]));
}

/** Streamed text must become a message, whole or partial, or the text beside the calls of a reply. */
function lostTexts(events: readonly TeamEvent[]): string[] {
  const open = new Map<string, { readonly speaker: string; readonly text: string }>();
  for (const event of events) {
    const place = pathPrefix(event);
    if (event.type === "message/chunk") {
      const text = (open.get(event.messageId)?.text ?? "") + event.delta;
      open.set(event.messageId, { speaker: place + event.source, text });
    } else if (event.type === "message/added") open.delete(event.message.id);
    else if (event.type === "tool/requested" || event.type === "team/reset") {
      const closed = event.type === "team/reset" ? place : place + event.participant;
      for (const [id, { speaker }] of open) if (speaker.startsWith(closed)) open.delete(id);
    }
  }
  return [...open.values()].map(({ speaker, text }) => `the text "${text}" of ${speaker} was lost`);
}

function duplicateMessages(events: readonly TeamEvent[]): string[] {
  const added = events.flatMap((event) =>
    event.type === "message/added" ? [`${pathPrefix(event)}${event.message.source}: ${event.message.id}`] : [],
  );
  return added.filter((id, at) => added.indexOf(id) < at).map((id) => `the message ${id} was added twice`);
}

/**
 * The texts of each speaker, turn by turn. A partial counts only if it is as long as the recorded text. Answers to the user
 * and texts after the end of a script do not count. A nested team's answer is its last message.
 */
export function finishedTurns({ fixture }: ReplaySession, recorded: Recorded = {}): Record<string, string[]> {
  const said: Record<string, string[]> = {};
  const textById = new Map<string, string>();
  for (const event of fixture.journal.kept) {
    if (event.type !== "message/added") continue;
    const { id, source, metadata, partial } = event.message;
    if (source === "user" || textById.has(id)) continue;
    const text = textById.get(String(metadata?.["answer"])) ?? textOf(event.message);
    textById.set(id, text);
    const speaker = [...(event.path ?? []), source].join("/");
    if (partial && !recorded[speaker]?.includes(text)) continue;
    const before = said[speaker] ?? [];
    const counts = !text.includes(SCRIPT_ENDED) && !text.includes(ANSWER) && text !== before.at(-1);
    said[speaker] = counts ? [...before, text] : before;
  }
  return said;
}

/** The violations of what must hold for one interrupt, given its receipt. */
export function receiptProblems(
  { steps }: ReplaySession,
  team: RecordedTeam,
  receipt: InterruptReceipt,
  asked: { readonly scope?: InterruptScope; readonly severity: Severity },
): string[] {
  const { requestedAt, acknowledgedAt, quiescedAt, severity, wasRunning, status } = receipt;
  const problems: string[] = [];
  if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(asked.severity)) {
    problems.push(`the receipt has the severity ${severity} instead of ${asked.severity}`);
  }
  if (requestedAt > acknowledgedAt || acknowledgedAt > quiescedAt)
    problems.push("the receipt's times are out of order");
  if (wasRunning && asked.scope === undefined && severity !== "pause" && status !== "idle") {
    problems.push(`after ${severity} the team is ${status}`);
  }
  const acknowledged = steps.findIndex(
    (step) =>
      isEvent(step) && step.event.type === "interrupt/acknowledged" && step.event.interruptId === receipt.interruptId,
  );
  if (acknowledged < 0) problems.push("the interrupt was never acknowledged");
  if (acknowledged < 0 || !wasRunning) return problems;
  const completed = steps.findIndex(
    (step) =>
      isEvent(step) && step.event.type === "interrupt/completed" && step.event.interruptId === receipt.interruptId,
  );
  const resumed = steps.findIndex((step, at) => at > completed && isEvent(step) && isUserResume(step.event));
  const until = resumed < 0 ? steps.length : resumed;
  return [...problems, ...problemsAfterAcknowledgement(steps.slice(acknowledged + 1, until), team, asked.scope)];
}

/**
 * What started after an acknowledgement and before the user resumed the team. A decision that was being recorded is still
 * recorded, with the run that it starts.
 */
function problemsAfterAcknowledgement(
  steps: readonly ObservedStep[],
  team: RecordedTeam,
  scope: InterruptScope | undefined,
): string[] {
  return steps.flatMap((step) => {
    if (step.kind === "request" && isWithin(team, scope, step.participant)) {
      return [`a model request of ${step.participant} started after the acknowledgement`];
    }
    if (step.kind === "tool" && isWithin(team, scope, step.participant, step.ref)) {
      return [`the tool of the call ${step.ref} started after the acknowledgement`];
    }
    const isLate =
      isEvent(step) && scope === undefined && !WHILE_ENDING.has(step.event.type) && !isUserResume(step.event);
    return isLate ? [`${step.event.type} happened after the acknowledgement`] : [];
  });
}

/** A decision on a call comes before the run that it starts. */
const isUserResume = ({ type, path }: TeamEvent): boolean =>
  type === "tool/resolved" || (type === "run/started" && path === undefined);

function isWithin(
  { nestedParticipants: within = {} }: RecordedTeam,
  scope: InterruptScope | undefined,
  participant: string,
  ref?: string,
): boolean {
  if (scope === undefined) return true;
  if ("ref" in scope) return scope.ref === ref;
  return scope.participant === participant || within[scope.participant]?.includes(participant) === true;
}

const isEvent = (step: ObservedStep): step is Extract<ObservedStep, { kind: "event" }> => step.kind === "event";
