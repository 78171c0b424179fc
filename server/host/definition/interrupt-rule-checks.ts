import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { INTERRUPT_REASONING } from "../../engine/participants/interrupt-reasoning-tool.ts";
import { INTERRUPT_TEAM } from "../../engine/participants/interrupt-tool.ts";
import { REMEMBER } from "../../engine/participants/remember-tool.ts";
import { patternProblem } from "../../engine/pattern/pattern.ts";
import { isUnpriced } from "./condition-checks.ts";
import type { DefinitionScope } from "./definition-scope.ts";
import { namesAt, unknownNames } from "./name-checks.ts";
import type { Path } from "./path.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/**
 * Checks a team's interrupt rules: unknown participants and tools, invalid regular expressions, and costs when no model has
 * a price.
 */
export function checkInterruptRules(team: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const tools = new Set(toolsIn(team));
  return asList(team["interrupts"]).flatMap((rule, at) => {
    const path = ["interrupts", at];
    const when = asRecord(asRecord(rule)["when"]);
    return [
      ...checkNames(team, when, [...path, "when"], scope),
      ...checkTools(tools, when, [...path, "when", "tool", "name"]),
      ...checkPattern(asRecord(when["message"]), [...path, "when", "message"]),
      ...checkPattern(asRecord(asRecord(when["tool"])["arguments"]), [...path, "when", "tool", "arguments"]),
      ...checkCost(when, [...path, "when", "cost"], scope),
      ...checkScope(asRecord(rule), when, [...path, "scope"]),
    ];
  });
}

function checkNames(team: JsonRecord, when: JsonRecord, path: Path, { user }: DefinitionScope): ValidationProblem[] {
  const members = membersIn(team);
  const orchestrator = team["kind"] === "magentic" ? ["orchestrator", "orchestrator_"] : [];
  const speakers = [...members, ...orchestrator, user, "user"];
  return [
    ...unknownNames(when["participant"], [...path, "participant"], members),
    ...unknownNames(asRecord(when["message"])["sources"], [...path, "message", "sources"], speakers),
  ];
}

/** Known are the tools of all participants, and the engine's own for handoffs, notes and interrupts. */
function checkTools(tools: ReadonlySet<string>, when: JsonRecord, path: Path): ValidationProblem[] {
  return namesAt(asRecord(when["tool"])["name"], path).flatMap(({ name, at }): ValidationProblem[] =>
    tools.has(name) || isOwnTool(name)
      ? []
      : [
          {
            path: at,
            message: `no participant has a tool "${name}"; add it to one, or remove it from this rule`,
          },
        ],
  );
}

const isOwnTool = (name: string): boolean =>
  name.startsWith("transfer_to_") || [REMEMBER, INTERRUPT_TEAM, INTERRUPT_REASONING].includes(name);

function checkPattern(test: JsonRecord, path: Path): ValidationProblem[] {
  const pattern = asText(test["matches"]);
  const message = pattern === undefined ? undefined : patternProblem(pattern);
  return message === undefined ? [] : [{ path: [...path, "matches"], message }];
}

function checkCost({ cost }: JsonRecord, path: Path, { models }: DefinitionScope): ValidationProblem[] {
  if (cost === undefined || !isUnpriced(models)) return [];
  const message = "no model of the team has a `price`, so costs cannot be counted; add one to the models";
  return [{ path, on: "key", message }];
}

/** The scope `participant` needs a trigger that is about a turn, and a severity that does not concern the whole team. */
function checkScope(rule: JsonRecord, when: JsonRecord, path: Path): ValidationProblem[] {
  if (rule["scope"] !== "participant") return [];
  if (rule["severity"] === "reset") {
    return [{ path, message: "the severity reset is for the whole team; use the scope team, or another severity" }];
  }
  if (["message", "tool", "participant"].some((part) => when[part] !== undefined)) return [];
  const message =
    "a rule with this scope needs `message`, `tool` or `participant` in `when`; add one, or use the scope team";
  return [{ path, message }];
}

/** The names of a team's participants and of those in its nested teams. */
const membersIn = (team: JsonRecord): string[] =>
  asList(team["participants"]).flatMap((participant) => {
    const { name, team: inner } = asRecord(participant);
    return [...(typeof name === "string" ? [name] : []), ...(isRecord(inner) ? membersIn(inner) : [])];
  });

const toolsIn = (team: JsonRecord): string[] =>
  asList(team["participants"]).flatMap((participant) => {
    const { tools, team: inner } = asRecord(participant);
    const own = asList(tools).flatMap((tool) => asText(isRecord(tool) ? tool["name"] : tool) ?? []);
    return [...own, ...(isRecord(inner) ? toolsIn(inner) : [])];
  });
