import { isDeepStrictEqual } from "node:util";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import type { OpenTurn } from "../../shared/contract/saved-state.ts";
import type { InterruptReceipt, InterruptScope, Severity } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { ANSWER, MORE } from "./script.ts";
import type { Stage } from "./stage.ts";
import type { Step } from "./watch.ts";

const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];

/** What may happen between the acknowledgement of an interrupt of the whole team and its next run: what stands open is closed, no more. */
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
  "userMessage/queued",
  "userMessage/withdrawn",
]);

type Recorded = Readonly<Record<string, readonly string[]>>;

const ROOT = "the team";

/** What must hold of a team that nothing moves in. A nested team's turn may be open, to be gone on with. */
export function problemsAtRest(state: TeamState, where = ROOT): string[] {
  const { status, run, streaming, calls, openTurns, pendingTools, inner = {} } = state;
  const waiting = new Set(pendingTools.map(({ participant, path }) => path?.[0] ?? participant));
  const isOpen = ({ participant, awaits }: OpenTurn): boolean => awaits === undefined && !waiting.has(participant);
  const open = where === ROOT ? openTurns.filter(isOpen) : [];
  const busy = calls.filter(({ abandoned }) => !abandoned);
  return [
    ...(status === "running" || status === "interrupting" || run !== null ? [`${where} is at rest and ${status}`] : []),
    ...(streaming.length > 0 ? [`${where} is at rest, and a message is open`] : []),
    ...open.map(({ participant }) => `${where} is at rest, and the turn of ${participant} is open`),
    ...busy.map(({ ref }) => `${where} is at rest, and the call ${ref} is open`),
    ...((status === "awaitingTools") === pendingTools.length > 0
      ? []
      : [`${where} is ${status} with ${pendingTools.length} pending calls`]),
    ...Object.entries(inner).flatMap(([name, team]) => problemsAtRest(team, `the team within ${name}`)),
  ];
}

/** What must hold of a whole play: each call with one result, no message twice, the state the fold of all that was told. */
export function problemsOfPlay({ fixture }: Stage): string[] {
  const { kept } = fixture.journal;
  const count = (type: TeamEvent["type"]): number => kept.filter((event) => event.type === type && !event.path).length;
  return [
    ...(isDeepStrictEqual(fixture.folded(), fixture.team.state) ? [] : ["the state is not the fold of what was kept"]),
    ...(count("run/started") > count("run/ended") ? ["a run has begun and never ended"] : []),
    ...callsWithoutOneResult(kept),
    ...messagesTwice(kept),
    ...lostTexts(kept),
  ];
}

/** Where an event happened, as a beginning of names: that of a nested team is its path. */
const placeOf = ({ path = [] }: TeamEvent): string => path.map((name) => `${name}/`).join("");

function callsWithoutOneResult(events: readonly TeamEvent[]): string[] {
  const results = new Map<string, number>();
  for (const event of events) {
    const place = placeOf(event);
    const add = (ref: string, more: number): unknown =>
      results.set(place + ref, (results.get(place + ref) ?? 0) + more);
    if (event.type === "tool/requested") for (const { ref } of event.calls) add(ref, 0);
    if (event.type === "tool/executed") add(event.ref, 1);
    if (event.type !== "team/reset") continue;
    // What is forgotten is not counted, and its names can be used again.
    for (const key of results.keys()) if (key.startsWith(place)) results.delete(key);
  }
  return [...results].flatMap(([ref, count]) => (count === 1 ? [] : [`the call ${ref} has ${count} results`]));
}

/** What was streamed becomes a message, whole or partial, or stands beside the calls of its answer. */
function lostTexts(events: readonly TeamEvent[]): string[] {
  const open = new Map<string, { readonly speaker: string; readonly text: string }>();
  for (const event of events) {
    const place = placeOf(event);
    if (event.type === "message/chunk") {
      const text = (open.get(event.messageId)?.text ?? "") + event.delta;
      open.set(event.messageId, { speaker: place + event.source, text });
    } else if (event.type === "message/added") open.delete(event.message.id);
    else if (event.type === "tool/requested" || event.type === "team/reset") {
      const closed = event.type === "team/reset" ? place : place + event.participant;
      for (const [id, { speaker }] of open) if (speaker.startsWith(closed)) open.delete(id);
    }
  }
  return [...open.values()].map(({ speaker, text }) => `of ${speaker} the text "${text}" was lost`);
}

function messagesTwice(events: readonly TeamEvent[]): string[] {
  const added = events.flatMap((event) =>
    event.type === "message/added" ? [`${placeOf(event)}${event.message.source}: ${event.message.id}`] : [],
  );
  return added.filter((id, at) => added.indexOf(id) < at).map((id) => `the message ${id} was added twice`);
}

/**
 * What each speaker has said, turn by turn. A partial counts only where it lacks nothing of what was recorded, and answers to the
 * user and what comes after the script do not count. The answer of a nested team is that which was said last within.
 */
export function finishedTurns({ fixture }: Stage, recorded: Recorded = {}): Record<string, string[]> {
  const said: Record<string, string[]> = {};
  const heard = new Map<string, string>();
  for (const event of fixture.journal.kept) {
    if (event.type !== "message/added") continue;
    const { id, source, metadata, partial } = event.message;
    if (source === "user" || heard.has(id)) continue;
    const text = heard.get(String(metadata?.["answer"])) ?? textOf(event.message);
    heard.set(id, text);
    const speaker = [...(event.path ?? []), source].join("/");
    if (partial && !recorded[speaker]?.includes(text)) continue;
    const before = said[speaker] ?? [];
    const counts = !text.includes(MORE) && !text.includes(ANSWER) && text !== before.at(-1);
    said[speaker] = counts ? [...before, text] : before;
  }
  return said;
}

/** What must hold of one interrupt, once it has its receipt. */
export function problemsOfReceipt(
  { steps }: Stage,
  team: RecordedTeam,
  receipt: InterruptReceipt,
  asked: { readonly scope?: InterruptScope; readonly severity: Severity },
): string[] {
  const { requestedAt, acknowledgedAt, quiescedAt, severity, wasRunning, status } = receipt;
  const problems: string[] = [];
  if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(asked.severity)) {
    problems.push(`the receipt says ${severity} where ${asked.severity} was asked for`);
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
  return [...problems, ...problemsAfter(steps.slice(acknowledged + 1), team, asked.scope)];
}

/** What was begun after an acknowledgement and before the user set the team going again, and must not be. */
function problemsAfter(steps: readonly Step[], team: RecordedTeam, scope: InterruptScope | undefined): string[] {
  const end = steps.findIndex((step) => isEvent(step) && isNextStart(step.event));
  const until = end < 0 ? steps : steps.slice(0, end);
  return until.flatMap((step) => {
    if (step.kind === "request" && isWithin(team, scope, step.participant)) {
      return [`the model of ${step.participant} was asked after the acknowledgement`];
    }
    if (step.kind === "tool" && isWithin(team, scope, step.participant, step.ref)) {
      return [`the tool of ${step.ref} was started after the acknowledgement`];
    }
    const isLate = isEvent(step) && scope === undefined && !WHILE_ENDING.has(step.event.type);
    return isLate ? [`${step.event.type} happened after the acknowledgement`] : [];
  });
}

/** A ruling comes before the run that it begins. */
const isNextStart = ({ type, path }: TeamEvent): boolean =>
  type === "tool/resolved" || (type === "run/started" && path === undefined);

function isWithin(
  { within = {} }: RecordedTeam,
  scope: InterruptScope | undefined,
  participant: string,
  ref?: string,
): boolean {
  if (scope === undefined) return true;
  if ("ref" in scope) return scope.ref === ref;
  return scope.participant === participant || within[scope.participant]?.includes(participant) === true;
}

const isEvent = (step: Step): step is Extract<Step, { kind: "event" }> => step.kind === "event";
