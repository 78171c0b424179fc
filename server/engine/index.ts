/** The engine: teams of agents as group chats that can be interrupted at any instant. It knows no wire and no editor. */
export { ConditionFired, type ConditionInput, type TerminationCondition } from "./conditions/condition.ts";
export { createCondition } from "./conditions/conditions.ts";
export { TEAM_KINDS } from "./managers/managers.ts";
export type * from "./model.ts";
export { FunctionParticipant, type Speaker, type Speech } from "./participants/function.ts";
export type * from "./participants/participant.ts";
export { UserControlAgent } from "./participants/user-control.ts";
export { createTeam } from "./team/create-team.ts";
export type * from "./team/journal.ts";
export { modelFor } from "./team/model-choice.ts";
export type * from "./team/options.ts";
export type { Team, ToolResolution } from "./team/team.ts";
export { type Tool, type ToolContext, ToolInterrupt } from "./tool.ts";
