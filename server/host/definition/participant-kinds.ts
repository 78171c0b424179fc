import type { ParticipantDefinition, ParticipantKind } from "../../../shared/contract/definition.ts";
import type { JsonRecord } from "../../../shared/json-record.ts";
import { checkHeaders } from "./header-checks.ts";
import type { ValidationProblem } from "./validation-problem.ts";

type Key = keyof ParticipantDefinition;

/** The keys for every kind of participant. */
const FOR_ALL: readonly Key[] = ["name", "kind", "description", "capabilities"];

/** The additional keys for each kind. */
const FOR_KIND: Readonly<Record<ParticipantKind, readonly Key[]>> = {
  assistant: [
    "instructions",
    "model",
    "tools",
    "review",
    "handoffs",
    "output",
    "memory",
    "maxToolIterations",
    "reflectOnToolUse",
    "toolCallSummaryFormat",
    "context",
    "on",
  ],
  user: ["handoffs"],
  team: ["team"],
  societyOfMind: ["team", "model", "instructions", "context"],
  acp: ["command", "args", "env", "cwd", "instructions", "handoffs"],
  a2a: ["url", "apiKey", "headers", "instructions", "handoffs"],
};

const isKind = (kind: unknown): kind is ParticipantKind => typeof kind === "string" && Object.hasOwn(FOR_KIND, kind);

/** Checks that a participant has the keys of its kind only, and a nested team if and only if its kind needs one. */
export function checkParticipantKind(participant: JsonRecord): ValidationProblem[] {
  const { kind = "assistant", team } = participant;
  if (!isKind(kind)) return [];
  const nests = FOR_KIND[kind].includes("team");
  const problems: ValidationProblem[] = [];
  if (nests && team === undefined) {
    const message = `a participant of kind ${kind} needs a nested team; add it under \`team\``;
    problems.push({ path: ["kind"], message });
  }
  if (!nests && team !== undefined) {
    const message =
      participant["kind"] === undefined
        ? "a nested team needs a kind; set kind: team or kind: societyOfMind"
        : `a participant of kind ${kind} cannot have a nested team; set kind: team or kind: societyOfMind`;
    problems.push({ path: ["team"], on: "key", message });
    // Which other keys are wrong depends on the intended kind.
    return problems;
  }
  if (kind === "acp" && participant["command"] === undefined) {
    const message = "a participant of kind acp needs a program; give its `command`";
    problems.push({ path: ["kind"], message });
  }
  if (kind === "a2a") problems.push(...addressProblems(participant["url"]), ...checkHeaders(participant["headers"]));
  return [...problems, ...irrelevantKeyProblems(participant, kind), ...keysOfWorkers(participant)];
}

/** What the participant at the worker has, and no team file can give it. */
const AT_WORKER: readonly Key[] = ["model", "tools", "memory", "capabilities"];

const keysOfWorkers = (participant: JsonRecord): ValidationProblem[] =>
  participant["on"] === undefined
    ? []
    : AT_WORKER.filter((key) => participant[key] !== undefined).map((key) => ({
        path: [key],
        on: "key",
        message: "is a matter of the worker, for a participant that runs on one; remove it",
      }));

function addressProblems(url: unknown): ValidationProblem[] {
  if (url === undefined)
    return [{ path: ["kind"], message: "a participant of kind a2a needs an address; give its `url`" }];
  const address = typeof url === "string" ? URL.parse(url) : null;
  if (address === null || (address.username === "" && address.password === "")) return [];
  return [{ path: ["url"], message: "must not have a user name or password; use apiKey" }];
}

/** The keys of participants that have no effect for a kind. */
export function irrelevantKeys(kind: ParticipantKind): Key[] {
  const useful = new Set<Key>([...FOR_ALL, ...FOR_KIND[kind]]);
  return [...new Set(Object.values(FOR_KIND).flat())].filter((key) => !useful.has(key));
}

function irrelevantKeyProblems(participant: JsonRecord, kind: ParticipantKind): ValidationProblem[] {
  return irrelevantKeys(kind)
    .filter((key) => key !== "team" && participant[key] !== undefined)
    .map((key) => ({
      path: [key],
      on: "key",
      message: `has no effect for a participant of kind ${kind}; remove it`,
    }));
}
