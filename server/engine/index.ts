/**
 * The engine: teams of agents as group chats that can be interrupted at any instant. It depends on no wire protocol and no
 * editor. This is its public interface; docs/ENGINE.md shows how to use it.
 */
export type { Condition } from "../../shared/contract/condition.ts";
export type * from "../../shared/contract/definition.ts";
export { GavelError } from "../../shared/contract/errors.ts";
export type { DurableEvent, TeamEvent, TransientEvent } from "../../shared/contract/event.ts";
export type { ChatMessage, ContentPart, Usage } from "../../shared/contract/message.ts";
export { textOf } from "../../shared/contract/message-text.ts";
export type { SavedState } from "../../shared/contract/saved-state.ts";
export { StopReason } from "../../shared/contract/stop-reasons.ts";
export type { InterruptReceipt, PendingTool, RunStatus, Task, TaskResult } from "../../shared/contract/team.ts";
export { modelFor } from "../../shared/state/model-choice.ts";
export { reduceTeam } from "../../shared/state/reducer.ts";
export { initialTeamState, type TeamState } from "../../shared/state/team-state.ts";
export type { ApprovalContext } from "./approvals/call-facts.ts";
export {
  type ApprovalOutcome,
  type ApprovalRuleFunction,
  type CallToApprove,
  evaluateCall,
} from "./approvals/evaluate-call.ts";
export { type FileNames, findPaths, restrictedPaths } from "./approvals/path-doubts.ts";
export { parsePathPattern } from "./approvals/paths/path-pattern.ts";
export { type PathPlaces, pathWithin, type WorkspaceRoot } from "./approvals/paths/path-places.ts";
export { plainPathRule } from "./approvals/paths/path-rule.ts";
export { ruleProblem } from "./approvals/rule-matching.ts";
export { ruleNote } from "./approvals/rule-note.ts";
export { suggestRules } from "./approvals/suggest-rules.ts";
export { isAutoGenComponent } from "./autogen/is-autogen-component.ts";
export { type AutoGenTeam, readAutoGenComponent } from "./autogen/read-autogen-component.ts";
export { type BuildAssistantOptions, buildAssistant } from "./build-assistant.ts";
export type * from "./calls/call-outcome.ts";
export type { ExecutableCall } from "./calls/tool-executor.ts";
export { AllCondition, AnyCondition } from "./conditions/combined-conditions.ts";
export { createCondition } from "./conditions/create-condition.ts";
export { FunctionCondition, type StopFunction } from "./conditions/function-condition.ts";
export { ConditionFired, type ConditionInput, type TerminationCondition } from "./conditions/termination-condition.ts";
export { addLongText, hasLongText, type StoredText, withTexts as withLoadedTexts } from "./context/long-text.ts";
export type { OlderPart } from "./context/older-part.ts";
export type { Reply } from "./context/reply.ts";
export type { ToolStep } from "./context/tool-step.ts";
export { createTeam } from "./create-team.ts";
export { globMatcher } from "./glob.ts";
export { newId } from "./id.ts";
export { preparedBy, schemaCheck } from "./json-schema/schema-check.ts";
export type { HistoryPage, RecentHistory } from "./log/history.ts";
export { HistoryTotals, type StoredHistoryTotals, TOTALS_VERSION } from "./log/history-totals.ts";
export type * from "./log/journal.ts";
export type { SelectorFunctions } from "./managers/create-manager.ts";
export type * from "./model.ts";
export { Assistant, type AssistantOptions } from "./participants/assistant.ts";
export { FunctionParticipant, type FunctionReply, type ReplyFunction } from "./participants/function-participant.ts";
export { type Handoff, handoffToolName } from "./participants/handoff-tools.ts";
export type { Memory } from "./participants/memory.ts";
export type * from "./participants/participant.ts";
export type * from "./parts.ts";
export type * from "./requests.ts";
export { InProcessRuntime } from "./runtime/in-process-runtime.ts";
export {
  AbandonedError,
  type Address,
  type DeliveryOptions,
  type MessageContext,
  type MessageHandler,
  type RegisterOptions,
  type Runtime,
  type Topic,
  UndeliveredError,
  type Unregister,
} from "./runtime/runtime.ts";
export { type AddedFiles, SensitiveFiles } from "./sensitive/sensitive-files.ts";
export type { Team } from "./team/team.ts";
export type { CommandToStart } from "./team/team-commands.ts";
export type { ToolResolution } from "./team/tool-decisions.ts";
export { UserControlAgent } from "./team/user-control-agent.ts";
export type * from "./team-options.ts";
export { systemTimers, type Timers } from "./timers.ts";
export {
  type CallEffects,
  type PathEffect,
  type Tool,
  type ToolContext,
  ToolInterrupt,
  type ToolSource,
} from "./tool.ts";
export type * from "./watch/watch-function.ts";
