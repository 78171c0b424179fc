import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { Fault } from "./fault.ts";
import { nearest, nobody, suggestion } from "./nearest.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf, textOf } from "./raw.ts";
import { hasModelForAll, type Scope } from "./scope.ts";

/** Names of participants, models and tools that refer to nothing, or twice to one thing. */
export function referenceFaults(team: JsonRecord, participants: readonly JsonRecord[], scope: Scope): Fault[] {
  return [
    ...duplicateNames(participants),
    ...participants.flatMap((participant, at) => [
      ...modelFaults(participant, ["participants", at], scope),
      ...toolFaults(participant, ["participants", at], scope),
      ...capabilityFaults(participant, ["participants", at], scope),
    ]),
    ...scriptFaults(team),
  ];
}

/** That a team has no model of that key. */
export function noSuchModel(key: string, models: JsonRecord): string {
  const keys = Object.keys(models);
  const hint = keys.length === 0 ? "the team has no `models`" : suggestion(key, keys, "keys of models");
  return `there is no model "${key}" in models; ${hint}`;
}

/** How one who has no model gets one; `place` says where it is named, if that is not clear. */
export function modelMend(models: JsonRecord, place = ""): string {
  const keys = Object.keys(models);
  return keys.length === 0
    ? "add models.default to the team, or set gavel.model in the settings"
    : `name one of ${keys.join(", ")}${place}, add models.default, or set gavel.model in the settings`;
}

function duplicateNames(participants: readonly JsonRecord[]): Fault[] {
  const first = new Map<string, number>();
  return participants.flatMap((participant, at): Fault[] => {
    const name = textOf(participant["name"]);
    if (name === undefined) return [];
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    return before === undefined
      ? []
      : [
          {
            path: ["participants", at, "name"],
            message: `"${name}" is the name of participants[${before}] already; give another`,
          },
        ];
  });
}

function modelFaults(participant: JsonRecord, path: Path, scope: Scope): Fault[] {
  const { kind, model, name, team } = participant;
  if (kind === "user" || kind === "team" || (kind === undefined && isRecord(team))) return [];
  if (typeof model === "string") {
    return Object.hasOwn(scope.models, model)
      ? []
      : [{ path: [...path, "model"], message: noSuchModel(model, scope.models) }];
  }
  if (model !== undefined || hasModelForAll(scope)) return [];
  return [{ path, message: `${textOf(name) ?? "this participant"} has no model; ${modelMend(scope.models)}` }];
}

function toolFaults(participant: JsonRecord, path: Path, { tools }: Scope): Fault[] {
  const taken = new Set<string>();
  return listOf(participant["tools"]).flatMap((tool, at): Fault[] => {
    const here = [...path, "tools", at];
    const name = textOf(isRecord(tool) ? tool["name"] : tool);
    if (name === undefined) return [];
    if (taken.has(name)) return [{ path: here, message: `the tool "${name}" is listed twice` }];
    taken.add(name);
    if (isRecord(tool)) {
      // A team file may not declare a host's tool anew, and so take its approval away.
      return tools.includes(name)
        ? [{ path: [...here, "name"], message: `"${name}" is a tool of the host already; list it by its name alone` }]
        : [];
    }
    return tools.includes(name)
      ? []
      : [{ path: here, message: `there is no tool "${name}"; ${suggestion(name, tools, "tools")}` }];
  });
}

/** Whom a participant may interrupt: names, or `*` for everyone (contract, section 8). */
function capabilityFaults(participant: JsonRecord, path: Path, { names }: Scope): Fault[] {
  return listOf(participant["capabilities"]).flatMap((capability, at) => {
    const { kind, to } = recordOf(capability);
    const here = [...path, "capabilities", at];
    const wanted = typeof to === "string" ? [{ name: to, at: [...here, "to"] }] : placed(to, [...here, "to"]);
    return [
      ...misspelt(kind, [...here, "kind"]),
      ...wanted.flatMap(({ name, at: place }): Fault[] =>
        typeof name !== "string" || name === "*" || names.includes(name)
          ? []
          : [{ path: place, message: nobody(name, [...names, "*"]) }],
      ),
    ];
  });
}

/** What the engine knows of capabilities. Others are for participants that are code, and only what resembles these is a mistake. */
const CAPABILITY_KINDS = ["interrupt", "reasoning/interrupt"];

function misspelt(kind: unknown, path: Path): Fault[] {
  const meant =
    typeof kind === "string" && !CAPABILITY_KINDS.includes(kind) ? nearest(kind, CAPABILITY_KINDS) : undefined;
  return meant === undefined ? [] : [{ path, message: `did you mean "${meant}"?` }];
}

const placed = (list: unknown, path: Path) => listOf(list).map((name, at) => ({ name, at: [...path, at] }));

/** What a practice model is to play, for somebody who is not there. */
function scriptFaults(team: JsonRecord): Fault[] {
  const names = speakersIn(team);
  return Object.entries(recordOf(team["models"])).flatMap(([model, settings]) =>
    ["lines", "asked"].flatMap((script) =>
      Object.keys(recordOf(recordOf(settings)[script])).flatMap((name): Fault[] =>
        names.includes(name)
          ? []
          : [
              {
                path: ["models", model, script, name],
                on: "key",
                message: nobody(name, names),
              },
            ],
      ),
    ),
  );
}

/** All who may speak through a team's models: its participants, a manager that asks a model, by the team's kind, and the same of nested teams. */
function speakersIn(team: JsonRecord): string[] {
  const { kind } = team;
  return [
    ...listOf(team["participants"]).flatMap((participant) => {
      const { name, team: inner } = recordOf(participant);
      return [...(typeof name === "string" ? [name] : []), ...(isRecord(inner) ? speakersIn(inner) : [])];
    }),
    ...(kind === "selector" || kind === "magentic" ? [kind] : []),
  ];
}
