import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";

type Team = Pick<TeamState, "participants" | "pendingTools" | "openTurns" | "calls" | "run"> & {
  readonly inner?: Readonly<Record<string, Team>> | undefined;
};

/** What a participant is doing, or why it does nothing. */
export interface Activity {
  readonly kind:
    | "thinking"
    | "limited"
    | "summarizing"
    | "writing"
    | "tools"
    | "team"
    | "approval"
    | "question"
    | "user"
    | "failed";
  /** In two or three words, for a chip. */
  readonly text: string;
  /** With everything that it concerns, for a tooltip. */
  readonly full: string;
}

/**
 * What a participant is doing, of the team itself: with a nested team, what is done within it.
 * @param events the last events of the team, which tell whose turn has failed; those of a nested team are not needed.
 * @returns null for one that is idle.
 */
export function activityOf(team: Team, name: string, events: readonly DurableEvent[] = []): Activity | null {
  const waiting = waitingFor(team, name);
  if (waiting !== null) return waiting;
  const {
    activity = "idle",
    waitsFor,
    summarizing,
  } = team.participants.find((participant) => participant.name === name) ?? {};
  if (activity === "idle") return failedIn(team, events) === name ? simple("failed", "failed") : null;
  const inner = team.inner?.[name];
  if (inner !== undefined && activity !== "speaking") return withinTeam(inner);
  switch (activity) {
    case "thinking":
      if (waitsFor !== undefined) return limited(waitsFor);
      return summarizing ? SUMMARIZING : simple("thinking", "thinking");
    case "speaking":
      return simple("writing", "writing");
    case "usingTools":
    case "awaitingTools":
      return calling(team, name);
  }
}

/** What a participant of the team that a path leads to is doing; see {@link activityOf}. */
export function activityAt(team: Team, path: readonly string[], name: string): Activity | null {
  const [outer, ...rest] = path;
  if (outer === undefined) return activityOf(team, name);
  const inner = ownValue(team.inner, outer);
  return inner === undefined ? null : activityAt(inner, rest, name);
}

/** What waits for the user: a call of the participant, or its turn. */
function waitingFor({ pendingTools, openTurns }: Team, name: string): Activity | null {
  const pending = pendingTools.filter(({ participant, path }) => (path?.[0] ?? participant) === name);
  const approvals = pending.filter(({ approval }) => approval === true);
  const calls = (approvals.length > 0 ? approvals : pending).map(({ participant, path, name: tool }) =>
    path === undefined ? shownTool(tool) : `${participantPath(path.slice(1), participant)}: ${shownTool(tool)}`,
  );
  if (approvals.length > 0) {
    return { kind: "approval", text: "approval needed", full: `approval needed: ${calls.join(", ")}` };
  }
  if (pending.length > 0 && pending.every(({ review }) => review))
    return { kind: "approval", text: "result to review", full: `result to review: ${calls.join(", ")}` };
  if (pending.length > 0) return { kind: "question", text: "asks you", full: `asks you: ${calls.join(", ")}` };
  const awaits = openTurns.find((turn) => turn.participant === name)?.awaits;
  if (awaits === undefined) return null;
  const who = participantPath(awaits.path?.slice(1), awaits.participant);
  return { kind: "user", text: "waiting for you", full: `waiting for you: you speak as ${who}` };
}

/** The calls that are under way; those that have not started yet only if no other has. */
function calling({ calls }: Team, name: string): Activity {
  const own = calls.filter(({ participant, abandoned }) => participant === name && abandoned !== true);
  const started = own.filter(({ started: has }) => has);
  const tools = (started.length > 0 ? started : own).map((call) => shownTool(call.name));
  const [first, ...others] = tools;
  if (first === undefined) return simple("tools", "using tools");
  const more = others.length === 0 ? "" : ` +${others.length}`;
  return { kind: "tools", text: `calling ${first}${more}`, full: `calling ${tools.join(", ")}` };
}

/** What a nested team does: what its only active participant does, or how many are active. */
function withinTeam(team: Team): Activity {
  const active = team.participants.flatMap(({ name }) => {
    const activity = activityOf(team, name);
    return activity === null ? [] : [{ name, activity }];
  });
  const [first] = active;
  if (first === undefined) return simple("team", "running");
  const full = active.map(({ name, activity }) => `${name}: ${activity.full}`).join(", ");
  const text = active.length === 1 ? `${first.name}: ${first.activity.text}` : `${active.length} active`;
  return { kind: "team", text, full };
}

/** The participant whose turn failed in the last run. */
function failedIn({ run }: Team, events: readonly DurableEvent[]): string | undefined {
  if (run !== null) return undefined;
  const last = events.findLast(({ type, path }) => path === undefined && ENDS_FAILURE.has(type));
  return last?.type === "error" ? last.participant : undefined;
}

/** An error, and what makes up for it. */
const ENDS_FAILURE: ReadonlySet<DurableEvent["type"]> = new Set(["error", "run/started", "team/reset", "state/loaded"]);

/** A model can ask for a tool by any name. */
const shownTool = (name: string): string => visibleLines(name);

/** Its model writes a summary of its context: in a word, and as a sentence without its name. */
export const SUMMARIZING_TEXTS = { text: "summarizing", full: "summarizes its context" } as const;

const SUMMARIZING: Activity = { kind: "summarizing", text: "summarizing", full: "summarizing its context" };

/** Its request waits for the endpoint's rate limit. A button's name has to begin with the text that is seen. */
const limited = (wait: NonNullable<ParticipantInfo["waitsFor"]>): Activity => ({
  kind: "limited",
  text: "rate limited",
  full: `rate limited by ${visibleLines(wait.endpoint)}${endText(wait)}`,
});

/** What a request waits for: in a few words, and as a sentence without its name. */
export function waitTexts(wait: NonNullable<ParticipantInfo["waitsFor"]>): Pick<Activity, "text" | "full"> {
  const end = endText(wait);
  return { text: `rate limited${end}`, full: `waits for the rate limit of ${visibleLines(wait.endpoint)}${end}` };
}

function endText({ until }: NonNullable<ParticipantInfo["waitsFor"]>): string {
  const time = new Date(until ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? "" : ` until ${time.toLocaleTimeString()}`;
}

const simple = (kind: Activity["kind"], text: string): Activity => ({ kind, text, full: text });
