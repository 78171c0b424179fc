import type { DurableEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { listText } from "../../shared/text/list-text.ts";

/** An open team, of which a report says nothing but kinds and sizes. */
interface ReportedTeam {
  readonly state: TeamState;
  /** Its last events, in which errors are looked for. */
  readonly tail: readonly DurableEvent[];
}

export interface Report {
  /** What is running, each with its version or state. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly settings: readonly ReportedSetting[];
  readonly teams: readonly ReportedTeam[];
  /** Lines of the log, already redacted. */
  readonly log: readonly string[];
  /** The thread as Markdown, where the user wants it to be in the report. */
  readonly thread: string | undefined;
}

export interface ReportedSetting {
  readonly name: string;
  /** As the user has set it. */
  readonly value: unknown;
  /** What package.json says of it. */
  readonly schema: { readonly type?: unknown; readonly enum?: unknown };
}

/** The report as Markdown, which the user reads and completes before it goes anywhere. */
export function reportText({ facts, settings, teams, log, thread }: Report): string {
  return [
    "# Problem with Gavel",
    "<!-- Nothing has been sent. Read this, remove what you do not want to share, and add what you did. -->",
    "## What happened",
    "What I did:\n\nWhat I expected:\n\nWhat happened instead:",
    "## Environment",
    facts.map(([name, value]) => `- ${name}: ${value}`).join("\n"),
    "## Settings",
    settings.length === 0 ? "None of Gavel's settings is changed." : settings.map(settingText).join("\n"),
    "## Open teams",
    teams.length === 0 ? "None." : teams.map(teamText).join("\n"),
    "## Log",
    log.length === 0 ? "Empty." : `\`\`\`text\n${log.map(withoutFence).join("\n")}\n\`\`\``,
    ...(thread === undefined ? [] : ["## Thread", thread]),
    "",
  ].join("\n\n");
}

/** The value of a setting that cannot hold a text of the user's: a switch, a number, one of a list. */
function settingText({ name, value, schema }: ReportedSetting): string {
  const isChoice = Array.isArray(schema.enum) && schema.enum.includes(value);
  const isPlain = typeof value === "boolean" || typeof value === "number" || isChoice;
  return `- \`${name}\`: ${isPlain ? String(value) : "set"}`;
}

function teamText({ state, tail }: ReportedTeam): string {
  const kinds = Map.groupBy(state.participants, ({ kind }) => kind);
  const parts = [
    `${state.kind}, ${state.status}`,
    `participants: ${listText([...kinds].map(([kind, all]) => `${all.length} ${kind}`))}`,
    `${state.threadLength} messages`,
    `${state.lastSeq} events`,
    `${state.pendingTools.length} pending calls`,
    `${state.queued.length} waiting messages`,
  ];
  return [`- ${parts.join("; ")}`, ...tail.flatMap(errorText)].join("\n");
}

/** An error by its codes: its sentence may name files, hosts and texts. */
function errorText(event: DurableEvent): readonly string[] {
  if (event.type !== "error") return [];
  const { code, status, fix, retryable } = event.data;
  const known = Object.entries({ code, status, fix, retryable }).filter(([, value]) => isCode(value));
  return [`  - error: ${known.map(([name, value]) => `${name} ${value}`).join(", ")}`];
}

const isCode = (value: unknown): boolean =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && /^[A-Za-z]{1,40}$/.test(value));

const withoutFence = (line: string): string => line.replaceAll("```", "'''");
