import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { ModelDefinition, ParticipantDefinition } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import { safeParse } from "../../shared/safe-parse.ts";
import { modelFor } from "../../shared/state/model-choice.ts";
import { WORKER_NAME } from "../link/index.ts";
import { WORKER_TOOLS } from "./tool-names.ts";

const MAX_BYTES = 1024 * 1024;

/** What a worker runs for teams, as its owner writes it (docs/DEPLOYMENT.md, "Workers"). */
const Content = z.strictObject({
  /** The name by which team files place something on it. */
  name: z.string().regex(WORKER_NAME, "should be 1 to 64 letters, digits, _ or -").optional(),
  /** The folder in which its tools work, relative to the file; that of the file if left out. */
  folder: z.string().min(1).optional(),
  participants: z.array(ParticipantDefinition).max(1_000).optional(),
  models: z.record(z.string(), ModelDefinition).optional(),
  /** The tools that participants of hosts may use here. */
  tools: z.array(z.string()).max(200).optional(),
  /** How commands run here, as the settings of the editor say it for commands there. */
  commands: z
    .strictObject({
      sandbox: z.boolean().optional(),
      allowedHosts: z.array(z.string().min(1)).max(1_000).optional(),
      environment: z.array(z.string().min(1)).max(1_000).optional(),
    })
    .optional(),
});

export interface WorkerFile extends Omit<z.infer<typeof Content>, "folder"> {
  /** Absolute. */
  readonly folder: string;
}

/** @throws Error with one sentence that says what is wrong with the file. */
export async function readWorkerFile(path: string): Promise<WorkerFile> {
  const name = basename(path);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new Error(`The file ${name} cannot be read: ${messageOf(error)}.`);
  });
  if (text.length > MAX_BYTES) throw new Error(`The file ${name} is larger than 1 MB.`);
  const content = contentOf(name, text);
  const problem = problemOf(content);
  if (problem !== undefined) throw new Error(`The file ${name} is not valid: ${problem}.`);
  return { ...content, folder: resolve(dirname(path), content.folder ?? ".") };
}

function contentOf(name: string, text: string): z.infer<typeof Content> {
  let yaml: unknown;
  try {
    yaml = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`The file ${name} is not YAML: ${messageOf(error).split("\n", 1)[0]}`);
  }
  const parsed = safeParse(Content, yaml);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new Error(`The file ${name} is not valid: ${issues.join("; ")}.`);
}

/** What a worker's participants cannot have: what is the team's matter, or what needs an editor. */
const NOT_HERE = ["team", "capabilities", "handoffs", "review", "command", "url"] as const;

function problemOf({ participants = [], models = {}, tools = [] }: z.infer<typeof Content>): string | undefined {
  if (participants.length + Object.keys(models).length + tools.length === 0)
    return "it offers nothing; add participants, models or tools";
  for (const [at, participant] of participants.entries()) {
    const here = `participants[${at}]`;
    const { name, kind = "assistant" } = participant;
    if (kind !== "assistant") return `${here}.kind: a worker runs participants of kind assistant alone`;
    if (participants.findIndex((other) => other.name === name) !== at) return `${here}.name: "${name}" is there twice`;
    const wrong = NOT_HERE.find((key) => participant[key] !== undefined);
    if (wrong !== undefined) return `${here}.${wrong}: is for team files; remove it here`;
    if ((participant.memory?.files ?? []).length > 0) return `${here}.memory.files: is for team files; remove it here`;
    const model = modelFor(participant, { models }, undefined);
    if (typeof model === "string") return `${here}.model: ${model}`;
    // The plan is kept by its host.
    const unknown = unknownTool((participant.tools ?? []).filter((tool) => tool !== PLAN_TOOL));
    if (unknown !== undefined) return `${here}.tools: ${unknown}`;
  }
  const elsewhere = Object.entries(models).find(([, { provider }]) => provider === "vscode" || provider === "worker");
  if (elsewhere !== undefined) return `models.${elsewhere[0]}.provider: a worker has no such model`;
  const unknown = unknownTool(tools);
  return unknown === undefined ? undefined : `tools: ${unknown}`;
}

function unknownTool(tools: readonly unknown[]): string | undefined {
  const unknown = tools.find((tool) => typeof tool !== "string" || !WORKER_TOOLS.includes(tool));
  if (unknown === undefined) return undefined;
  return `a worker has no tool ${JSON.stringify(unknown)}; its tools are ${WORKER_TOOLS.join(", ")}`;
}
