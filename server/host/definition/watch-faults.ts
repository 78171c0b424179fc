import { messageOf } from "../../../shared/contract/errors.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { INTERRUPT_TEAM } from "../../engine/participants/interrupter.ts";
import { REMEMBER } from "../../engine/participants/note-keeper.ts";
import { INTERRUPT_REASONING } from "../../engine/participants/reasoning-interrupter.ts";
import { isUnpriced } from "./condition-faults.ts";
import type { Fault } from "./fault.ts";
import { nobody } from "./nearest.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf, textOf } from "./raw.ts";
import type { Scope } from "./scope.ts";

/**
 * What is wrong with a team's rules for interrupts: participants that nobody is, regular expressions that do not read, tools
 * that nobody has, and costs where no model has a price.
 */
export function watchFaults(team: JsonRecord, scope: Scope): Fault[] {
  return listOf(team["interrupts"]).flatMap((rule, at) => {
    const path = ["interrupts", at];
    const when = recordOf(recordOf(rule)["when"]);
    return [
      ...nameFaults(team, when, [...path, "when"], scope),
      ...toolFaults(team, when, [...path, "when", "tool", "name"]),
      ...patternFaults(recordOf(when["message"]), [...path, "when", "message"]),
      ...patternFaults(recordOf(recordOf(when["tool"])["arguments"]), [...path, "when", "tool", "arguments"]),
      ...costFaults(when, [...path, "when", "cost"], scope),
      ...scopeFaults(recordOf(rule), when, [...path, "scope"]),
    ];
  });
}

function nameFaults(team: JsonRecord, when: JsonRecord, path: Path, { user }: Scope): Fault[] {
  const members = membersIn(team);
  const orchestrator = team["kind"] === "magentic" ? ["orchestrator", "orchestrator_"] : [];
  const speakers = [...members, ...orchestrator, user, "user"];
  return [
    ...unknownNames(when["participant"], [...path, "participant"], members),
    ...unknownNames(recordOf(when["message"])["sources"], [...path, "message", "sources"], speakers),
  ];
}

const unknownNames = (value: unknown, path: Path, known: readonly string[]): Fault[] =>
  placed(value, path).flatMap(({ name, at }) =>
    known.includes(name) ? [] : [{ path: at, message: nobody(name, known) }],
  );

/** The tools of all participants, and those that the engine gives them for handoffs, notes and interrupts. */
function toolFaults(team: JsonRecord, when: JsonRecord, path: Path): Fault[] {
  const tools = toolsIn(team);
  return placed(recordOf(when["tool"])["name"], path).flatMap(({ name, at }): Fault[] =>
    tools.includes(name) || isOwnTool(name)
      ? []
      : [
          {
            path: at,
            message: `nobody here has a tool "${name}"; give it to a participant, or take it out of this rule`,
          },
        ],
  );
}

const isOwnTool = (name: string): boolean =>
  name.startsWith("transfer_to_") || [REMEMBER, INTERRUPT_TEAM, INTERRUPT_REASONING].includes(name);

function patternFaults(test: JsonRecord, path: Path): Fault[] {
  const pattern = textOf(test["matches"]);
  if (pattern === undefined) return [];
  try {
    new RegExp(pattern);
    return [];
  } catch (error) {
    return [{ path: [...path, "matches"], message: `is no regular expression: ${messageOf(error)}` }];
  }
}

function costFaults({ cost }: JsonRecord, path: Path, { models }: Scope): Fault[] {
  if (cost === undefined || !isUnpriced(models)) return [];
  const message = "no model of the team has a `price`, so nothing is counted here; give the models one";
  return [{ path, on: "key", message }];
}

/** A participant is stopped by what its own turn is about. */
function scopeFaults(rule: JsonRecord, when: JsonRecord, path: Path): Fault[] {
  const isAboutTurns = ["message", "tool", "participant"].some((part) => when[part] !== undefined);
  if (rule["scope"] !== "participant" || isAboutTurns) return [];
  const message =
    "a rule stops a participant by its message, tool or participant; add one of them to `when`, or stop the team";
  return [{ path, message }];
}

/** A name, or each of a list of names, with its place. */
function placed(value: unknown, path: Path): { readonly name: string; readonly at: Path }[] {
  const names =
    typeof value === "string"
      ? [{ name: value, at: path }]
      : listOf(value).map((name, at) => ({ name, at: [...path, at] }));
  return names.flatMap(({ name, at }) => (typeof name === "string" ? [{ name, at }] : []));
}

/** The names of a team's participants, and of those of the teams within it. */
const membersIn = (team: JsonRecord): string[] =>
  listOf(team["participants"]).flatMap((participant) => {
    const { name, team: inner } = recordOf(participant);
    return [...(typeof name === "string" ? [name] : []), ...(isRecord(inner) ? membersIn(inner) : [])];
  });

const toolsIn = (team: JsonRecord): string[] =>
  listOf(team["participants"]).flatMap((participant) => {
    const { tools, team: inner } = recordOf(participant);
    const own = listOf(tools).flatMap((tool) => textOf(isRecord(tool) ? tool["name"] : tool) ?? []);
    return [...own, ...(isRecord(inner) ? toolsIn(inner) : [])];
  });
