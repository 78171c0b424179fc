import type { Fault } from "./fault.ts";
import { flowFaults } from "./flow-references.ts";
import { nobody, suggestion } from "./nearest.ts";
import type { Path } from "./path.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "./raw.ts";

/** What a definition can refer to outside itself. */
export interface Surroundings {
  /** The names of the host's tools and of those that the client registered. */
  readonly tools: readonly string[];
  /** True when the host has a model of its own for participants that name none (the setting `gavel.model`). */
  readonly hasDefaultModel: boolean;
  /** Whom the user's messages are from. */
  readonly user: string;
}

/** Names in a definition that refer to nothing, or twice to one thing. Reads what it can of a definition of any shape. */
export function referenceFaults(input: unknown, around: Surroundings): Fault[] {
  const team = recordOf(input);
  const participants = listOf(team["participants"]).map(recordOf);
  const names = participants.flatMap(({ name }) => textOf(name) ?? []);
  const models = Object.keys(recordOf(team["models"]));
  return [
    ...duplicateNames(participants),
    ...participants.flatMap((participant, at) => [
      ...modelFaults(participant, ["participants", at], models, around),
      ...toolFaults(participant, ["participants", at], around),
    ]),
    ...conditionFaults(team["termination"], ["termination"], [...names, around.user, "user"]),
    ...scriptFaults(recordOf(team["models"]), names),
    ...flowFaults(team, names, models),
  ];
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

function modelFaults(participant: JsonRecord, path: Path, models: readonly string[], around: Surroundings): Fault[] {
  if (participant["kind"] === "user" || participant["kind"] === "team") return [];
  const model = participant["model"];
  if (typeof model === "string") {
    const hint = models.length === 0 ? "the team has no `models`" : suggestion(model, models, "keys of models");
    return models.includes(model)
      ? []
      : [{ path: [...path, "model"], message: `there is no model "${model}" in models; ${hint}` }];
  }
  if (model !== undefined || models.includes("default") || models.length === 1 || around.hasDefaultModel) return [];
  const who = textOf(participant["name"]) ?? "this participant";
  const mend =
    models.length === 0
      ? "add models.default to the team, or set gavel.model in the settings"
      : `name one of ${models.join(", ")}, add models.default, or set gavel.model in the settings`;
  return [{ path, message: `${who} has no model; ${mend}` }];
}

function toolFaults(participant: JsonRecord, path: Path, { tools }: Surroundings): Fault[] {
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

function conditionFaults(value: unknown, path: Path, speakers: readonly string[]): Fault[] {
  const condition = recordOf(value);
  const sourced = ["textMention", "sourceMatch"].flatMap((kind) =>
    listOf(recordOf(condition[kind])["sources"]).map((name, at) => ({ name, at: [...path, kind, "sources", at] })),
  );
  const source = { name: recordOf(condition["textMessage"])["source"], at: [...path, "textMessage", "source"] };
  return [
    ...[...sourced, source].flatMap(({ name, at }): Fault[] =>
      typeof name !== "string" || speakers.includes(name) ? [] : [{ path: at, message: nobody(name, speakers) }],
    ),
    ...["any", "all"].flatMap((kind) =>
      listOf(condition[kind]).flatMap((inner, at) => conditionFaults(inner, [...path, kind, at], speakers)),
    ),
  ];
}

/** What a practice model is to play, for somebody who is not there. */
function scriptFaults(models: JsonRecord, names: readonly string[]): Fault[] {
  return Object.entries(models).flatMap(([model, settings]) =>
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
