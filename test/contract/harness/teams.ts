import type { Condition } from "../../../shared/contract/condition.ts";
import type { ModelDefinition, ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";

export interface ContractTeamOptions {
  readonly names?: readonly string[];
  readonly model?: ModelDefinition;
  readonly termination?: Condition;
  readonly maxTurns?: number;
  readonly participants?: Partial<ParticipantDefinition>;
}

/** A round robin of participants that an endpoint knows by their instructions. */
export function roundRobin(options: ContractTeamOptions = {}): TeamDefinition {
  const { names = ["ann", "bob"], model = practice(names), termination, maxTurns, participants = {} } = options;
  return {
    name: "Talk",
    kind: "roundRobin",
    participants: names.map((name) => ({ ...participants, name, instructions: `I am ${name}.` })),
    models: { default: model },
    ...(termination === undefined ? {} : { termination }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  };
}

/** Everyone says who speaks, without a pause. */
export function practice(names: readonly string[]): ModelDefinition {
  return {
    provider: "practice",
    pace: 0,
    lines: Object.fromEntries(names.map((name) => [name, [`${name} speaks`]])),
    asked: Object.fromEntries(names.map((name) => [name, [`${name} answers`]])),
  };
}

export const openai = (baseUrl: string): ModelDefinition => ({ provider: "openai", model: "test", baseUrl });
