import type { ErrorCode } from "../../../shared/contract/errors.ts";

/** When each error is sent, and what else is in its `data`. */
export const ERROR_NOTES: Readonly<Record<ErrorCode, string>> = {
  InvalidParams:
    "The params fail their schema, or name something that does not exist. `problems`: [Problem](#problem)[], all at once.",
  UnknownTeam: "No open or stored team has this `teamId`. `teamId`.",
  UnknownParticipant: "The team has no such participant. `name`, and `known`: the names there are.",
  TeamBusy: "A run is in progress, here or in another host, and the request needs the team at rest. `teamId`.",
  InvalidDefinition:
    "A team definition has mistakes. `problems`: [Problem](#problem)[], of shape and of references together, with `line` and `column` where the source is a file.",
  InvalidResume:
    "Answers that match no pending call; `team/run`, or `team/sendUserMessage` without a `delivery`, while calls are pending; `team/run` without a task where nothing can continue. Nothing has changed. `refs`, `pending`, `awaitingUser` or `handoffTo`, as it applies; `answeredBy`, where somebody has decided on these calls before: the `ref`, the user (`by`) and `how`, as in `tool/resolved`.",
  NotAuthorized:
    "The role of the user who asks does not allow it: [Users of a team](#users-of-a-team). `role`, `needs`, and `chair`: the id of who has it.",
  ModelError:
    "A model endpoint failed. `retryable`; where known `status` (HTTP), `model`, `baseUrl`, `secret` (the name of a key, never the key), and `fix`: where it can be put right (`apiKey`, `teamFile`, `endpoint` or `network`).",
  StorageError: "The store could not be read or written. The message names the file or folder.",
  McpError: "An MCP server could not be started, or did not do what it was asked. `server`: its name.",
  RequestCancelled:
    "The client cancelled the request with `$/cancelRequest`, or the host or the team can no longer answer it. Work that has started continues.",
  InternalError: "A defect of the host. Details are in its log.",
};

/** When each stop reason of the host's own is given. */
export const STOP_NOTES: Readonly<Record<string, string>> = {
  USER_INTERRUPT: "An interrupt ended the run, whoever asked for it.",
  USER_MESSAGE_COMPLETED:
    "The target of a directed message replied. Only in the result of `team/sendUserMessage`, and in `run/ended` for `then: pause` and of a graph or an orchestrator that was done before.",
  USER_MESSAGE_TIMEOUT: "It did not reply in `timeoutMs`.",
  TOOL_INTERRUPT: "At least one call waits for the user.",
  CANCELLED: "`$/cancelRequest`: the hard stop.",
  USER_INPUT_REQUESTED: "It is a user participant's turn.",
};

/** When `status.reason` has a value of the host's own. */
export const REASON_NOTES: Readonly<Record<string, string>> = {
  external_interrupt: "With `interrupted`: an interrupt ended the run.",
  tool_interrupt: "With `interrupted`: calls wait for the user.",
  user_input: "With `interrupted`: a user participant's turn.",
  timeout: "With `interrupted`: a directed message was not answered in time.",
  budget: "With `interrupted`: a budget is used up. The team is paused; `team/run` without a task grants it once more.",
  host_stopped:
    "With `interrupted`: the host ended during the run, and the run was closed when the team was next opened.",
  withdrawn: "With `cancelled`: a waiting message was withdrawn.",
};
