import { EXTENSION_TOOL, EXTENSION_TOOL_NAME } from "../../../shared/extension-tools.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { SET_DEFAULT_MODEL } from "../../../shared/no-model.ts";
import { REASONING_INTERRUPT } from "../../engine/interrupts/authority.ts";
import { type DefinitionScope, hasFallbackModel } from "./definition-scope.ts";
import { unknownNames } from "./name-checks.ts";
import { nearest, suggestion, unknownName } from "./nearest.ts";
import type { Path } from "./path.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Checks the names of participants, models, tools and capability targets: unknown and duplicate ones. */
export function checkReferences(
  team: JsonRecord,
  participants: readonly JsonRecord[],
  scope: DefinitionScope,
): ValidationProblem[] {
  return [
    ...duplicateNames(participants),
    ...usersNames(participants, scope),
    ...participants.flatMap((participant, at) => [
      ...checkModel(participant, ["participants", at], scope),
      ...checkTools(participant, ["participants", at], scope),
      ...checkCapabilities(participant, ["participants", at], scope, CAPABILITY_KINDS),
    ]),
    ...checkMonitors(team, scope),
    ...checkFallbacks(team, scope),
    ...checkPracticeScripts(team),
  ];
}

/** A sentence that a team has no model of that key. */
export function unknownModel(key: string, models: JsonRecord): string {
  const keys = Object.keys(models);
  const hint = keys.length === 0 ? "the team has no `models`" : suggestion(key, keys, "models");
  return `unknown model "${key}"; ${hint}`;
}

/** What to do about a missing model; `place` says where to name one, if that is not clear. */
export function howToSetModel(models: JsonRecord, place = ""): string {
  const keys = Object.keys(models);
  return keys.length === 0
    ? `add models.default to the team, or ${SET_DEFAULT_MODEL}`
    : `name one of ${keys.join(", ")}${place}, add models.default, or ${SET_DEFAULT_MODEL}`;
}

function checkFallbacks({ models }: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  return Object.entries(asRecord(models)).flatMap(([name, model]) =>
    asList(asRecord(model)["fallback"]).flatMap((key, at) =>
      typeof key !== "string" || Object.hasOwn(scope.models, key)
        ? []
        : [{ path: ["models", name, "fallback", at], message: unknownModel(key, scope.models) }],
    ),
  );
}

function duplicateNames(participants: readonly JsonRecord[]): ValidationProblem[] {
  const first = new Map<string, number>();
  return participants.flatMap((participant, at): ValidationProblem[] => {
    const name = asText(participant["name"]);
    if (name === undefined) return [];
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    return before === undefined
      ? []
      : [
          {
            path: ["participants", at, "name"],
            message: `"${name}" is already the name of participants[${before}]; choose another`,
          },
        ];
  });
}

/** Only a participant that the user speaks for can have the name of the user: it would take the user's words for its own. */
function usersNames(participants: readonly JsonRecord[], { user }: DefinitionScope): ValidationProblem[] {
  return participants.flatMap(({ name, kind }, at): ValidationProblem[] =>
    name === user && kind !== "user"
      ? [
          {
            path: ["participants", at, "name"],
            message: `"${name}" is the name of the user's own messages; choose another, or add kind: user`,
          },
        ]
      : [],
  );
}

function checkModel(participant: JsonRecord, path: Path, scope: DefinitionScope): ValidationProblem[] {
  const { kind, model, name, team, on } = participant;
  if (on !== undefined) return [];
  if (kind === "user" || kind === "team" || kind === "acp" || kind === "a2a" || (kind === undefined && isRecord(team)))
    return [];
  if (typeof model === "string") {
    return Object.hasOwn(scope.models, model)
      ? []
      : [{ path: [...path, "model"], message: unknownModel(model, scope.models) }];
  }
  if (model !== undefined || hasFallbackModel(scope)) return [];
  return [{ path, message: `${asText(name) ?? "this participant"} has no model; ${howToSetModel(scope.models)}` }];
}

/** A tool of a server is known when the server runs; the server has to be known before. */
function checkServerTool(name: string, path: Path, servers: readonly string[]): ValidationProblem[] {
  if (servers.some((server) => name.startsWith(`${server}/`) && name.length > server.length + 1)) return [];
  const server = name.slice(0, name.lastIndexOf("/"));
  const hint =
    servers.length === 0
      ? "add it to the team's `mcpServers`, to .vscode/mcp.json, or to the setting gavel.mcp.servers"
      : suggestion(server, servers, "servers");
  return [{ path, message: `unknown MCP server "${server}"; ${hint}` }];
}

/** Another editor, or none, may have other extensions: a team that names one of their tools opens anyway. */
function checkExtensionTool(name: string, path: Path, known: DefinitionScope["extensionTools"]): ValidationProblem[] {
  if (!EXTENSION_TOOL_NAME.test(name.slice(EXTENSION_TOOL.length)))
    return [{ path, message: `"${name}" is no tool of VS Code; its name has letters, digits, _ and - only` }];
  const why = known?.refused.get(name);
  if (why !== undefined) return [{ path, message: `the tool "${name}" cannot be used: ${why}` }];
  const meant = known === undefined || known.names.includes(name) ? undefined : nearest(name, known.names);
  return meant === undefined ? [] : [{ path, message: `unknown tool "${name}"; did you mean "${meant}"?` }];
}

/** The name of a tool; undefined for those of a worker, which knows their names. */
const nameHere = (tool: unknown): string | undefined =>
  isRecord(tool) ? (tool["on"] === undefined ? asText(tool["name"]) : undefined) : asText(tool);

function checkTools(
  participant: JsonRecord,
  path: Path,
  { tools, replaceable = [], servers = [], extensionTools }: DefinitionScope,
): ValidationProblem[] {
  const taken = new Set<string>();
  return asList(participant["tools"]).flatMap((tool, at): ValidationProblem[] => {
    const here = [...path, "tools", at];
    const name = nameHere(tool);
    if (name === undefined) return [];
    if (taken.has(name)) return [{ path: here, message: `the tool "${name}" is listed twice; remove one` }];
    taken.add(name);
    if (isRecord(tool)) {
      // A team file must not redeclare a built-in tool, and so turn off its approval.
      return tools.includes(name) && !replaceable.includes(name)
        ? [{ path: [...here, "name"], message: `"${name}" is a built-in tool; list it by name only` }]
        : [];
    }
    if (name.startsWith(EXTENSION_TOOL)) return checkExtensionTool(name, here, extensionTools);
    if (name.includes("/")) return checkServerTool(name, here, servers);
    const unknown: ValidationProblem = {
      path: here,
      get message() {
        return `unknown tool "${name}"; ${suggestion(name, tools, "tools")}`;
      },
    };
    return tools.includes(name) ? [] : [unknown];
  });
}

/** The targets of a capability are names, or `*` for everyone. */
function checkCapabilities(
  owner: JsonRecord,
  path: Path,
  { names }: DefinitionScope,
  kinds: readonly string[],
): ValidationProblem[] {
  return asList(owner["capabilities"]).flatMap((capability, at) => {
    const { kind, to, maxPerMinute } = asRecord(capability);
    const here = [...path, "capabilities", at];
    return [
      ...checkSpelling(kind, [...here, "kind"], kinds),
      ...unknownNames(to, [...here, "to"], [...names, "*"]),
      ...(maxPerMinute === undefined || kind !== CAPABILITY_KINDS[0]
        ? []
        : [{ path: [...here, "maxPerMinute"], message: "is only for the kind reasoning/interrupt; remove it" }]),
    ];
  });
}

/** Monitors have names of their own, and the capability to interrupt reasoning. */
function checkMonitors(team: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const taken = new Set([...scope.names, scope.user]);
  return asList(team["monitors"]).flatMap((value, at) => {
    const monitor = asRecord(value);
    const path = ["monitors", at];
    const name = asText(monitor["name"]);
    const isTaken = name !== undefined && taken.has(name);
    if (name !== undefined) taken.add(name);
    return [
      ...(isTaken
        ? [
            {
              path: [...path, "name"],
              message: `"${name}" is already the name of a participant, of another monitor or of the user; choose another`,
            },
          ]
        : []),
      ...checkCapabilities(monitor, path, scope, [REASONING_INTERRUPT]),
      ...asList(monitor["capabilities"]).flatMap((capability, nth): ValidationProblem[] => {
        const { kind } = asRecord(capability);
        const message = "a monitor can only have the capability reasoning/interrupt";
        return kind === CAPABILITY_KINDS[0] ? [{ path: [...path, "capabilities", nth, "kind"], message }] : [];
      }),
    ];
  });
}

/** The engine's own capabilities. Others are for participants written in code; a similar name is a typing mistake. */
const CAPABILITY_KINDS = ["interrupt", REASONING_INTERRUPT];

function checkSpelling(kind: unknown, path: Path, kinds: readonly string[]): ValidationProblem[] {
  const isKnown = typeof kind !== "string" || CAPABILITY_KINDS.includes(kind);
  const meant = isKnown ? undefined : nearest(kind, kinds);
  return meant === undefined ? [] : [{ path, message: `did you mean "${meant}"?` }];
}

/** Practice lines for unknown names. */
function checkPracticeScripts(team: JsonRecord): ValidationProblem[] {
  const names = speakersIn(team);
  return Object.entries(asRecord(team["models"])).flatMap(([model, settings]) =>
    ["lines", "asked"].flatMap((script) =>
      Object.keys(asRecord(asRecord(settings)[script])).flatMap((name): ValidationProblem[] =>
        names.includes(name)
          ? []
          : [
              {
                path: ["models", model, script, name],
                on: "key",
                get message() {
                  return unknownName(name, names);
                },
              },
            ],
      ),
    ),
  );
}

/**
 * The names that call a team's models: its participants, a manager with a model (by the team's kind), and those of nested
 * teams.
 */
function speakersIn(team: JsonRecord): string[] {
  const { kind } = team;
  return [
    ...asList(team["participants"]).flatMap((participant) => {
      const { name, team: inner } = asRecord(participant);
      return [...(typeof name === "string" ? [name] : []), ...(isRecord(inner) ? speakersIn(inner) : [])];
    }),
    ...(kind === "selector" || kind === "magentic" ? [kind] : []),
  ];
}
