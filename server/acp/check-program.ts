import { statSync } from "node:fs";
import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { AgentFinding } from "../agents/index.ts";
import { findProgram } from "../programs/index.ts";
import type { AgentServices } from "./agent-services.ts";
import { missingProgram } from "./missing-program.ts";

export interface ProgramPlace {
  readonly definition: ParticipantDefinition;
  readonly services: Pick<AgentServices, "folder" | "environment">;
}

/** Whether there are the program of an agent and its folder. It is not started. */
export async function checkProgram({ definition, services }: ProgramPlace): Promise<AgentFinding> {
  const { name, command = "", env = {} } = definition;
  const wrong = (text: string): AgentFinding => ({ state: "wrong", text });
  let cwd: string;
  try {
    cwd = await services.folder(definition.cwd);
  } catch (error) {
    const why = messageOf(error).replace(/\.$/, "");
    const fix = definition.cwd === undefined ? "" : "; correct `cwd` in the team file";
    return wrong(`${name} cannot start: ${why.slice(0, 1).toLowerCase()}${why.slice(1)}${fix}.`);
  }
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    return wrong(`${name} cannot start: ${cwd} is not a folder; correct \`cwd\` in the team file.`);
  const found = findProgram({ command, cwd, env: services.environment(env) });
  return found === undefined
    ? wrong(missingProgram(name, command))
    : { state: "works", text: `Its program is ${found}.` };
}
