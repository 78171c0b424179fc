import type { Notes } from "./notes.ts";

/** Notes on the shapes of interrupts, previews and reasoning interrupts. */
export const INTERRUPT_SHAPE_NOTES: Notes = {
  InterruptScope: {
    "": "`participant`: its turn; of several participants with that name, the one at `path`, which is the participants that lead to its nested team, or the first one that has a turn. `ref`: one tool call, after which the turn continues, with a result that says so.",
  },
  Severity: {
    pause: "Everything is kept; the team can continue.",
    stop: "The thread is kept; turn count, conditions and open turns are reset, as at a normal end.",
    reset: "The thread is emptied too, as by `team/reset`.",
  },
  Grace: {
    now: "Abort the model's stream and the tools.",
    thought: "Let the current model step finish.",
    turn: "Let the current turn finish.",
  },
  InterruptReceipt: {
    interruptId: "Names it in its events.",
    wasRunning: "False where there was nothing to stop.",
    severity: "The highest that was asked for.",
    requestedAt: "ISO 8601: when the host received the request.",
    acknowledgedAt: "ISO 8601: from here on the host starts no model request and no tool for the run.",
    quiescedAt: "ISO 8601: when everything was at rest.",
    stopReason: "The stop reason of the run that it ended, or `null`.",
    partials: "The partial messages that it left; they are in the thread.",
    abandonedTools: "Tools that did not stop within 2 s.",
    "abandonedTools[].name": "The tool.",
    "abandonedTools[].mayHaveHadEffects": "False for a tool that only reads.",
    status: "The team's status afterwards.",
    scope: "What was to be stopped. Left out: the whole run.",
    grace: "The earliest that was asked for.",
    stopped: "What was cut short.",
    cancelledTools: "Calls that waited for the user, and that it cancelled. Left out where there was none.",
    kept: "What is left.",
  },
  Stopped: {
    participants: "Whose turns were cut short.",
    tools: "Which calls were cut short. Each has a result that says so.",
  },
  Kept: {
    messages: "Messages in the thread.",
    words: "Words in the partial messages that it left.",
    queued: "Directed messages that still wait.",
    pendingTools: "Calls that still wait for the user.",
  },
  PlacedParticipant: {},
  PlacedTool: {
    name: "The tool.",
    participant: "Who called.",
    mayHaveHadEffects: "True once it has started, unless its tool only reads.",
  },

  WaitingTool: {
    name: "The tool.",
    participant: "Who called.",
  },

  InterruptPreview: {
    isRunning: "False where an interrupt of this scope would stop nothing.",
    participants: "Whose turns would be stopped.",
    "participants[].activity": "What it is doing now.",
    tools: "Which calls would be stopped.",
    waitingTools: "Calls that wait for the user, and that would be cancelled. Left out where there is none.",
    streaming: "Messages that would be kept as partials.",
    "streaming[].messageId": "The message.",
    "streaming[].source": "Who speaks.",
    "streaming[].model": "The model that writes it.",
    "streaming[].words": "How many words it has so far.",
    waits: "Directed messages that would keep waiting.",
  },
  MessagePreview: {
    when: "When it would be delivered.",
    "when.code":
      "`now`: no run is in progress. `afterInterrupt`: the run would be stopped first. `afterCancelling`: calls that wait for the user would be cancelled first. `afterRun`, `atNextTurn`: it would wait. `blocked`: without a `delivery` it would be refused, because calls are pending.",
    "when.text": "The same as a sentence.",
    cancels: "The waiting calls that would be cancelled: those of the target. Left out where there is none.",
    interrupts: "Whose turns would be stopped for it.",
    seenBy: "Participants who would be shown it.",
    seenByManager: "True where a model chooses the speakers or leads the team: it reads the whole thread.",
  },

  ReasoningRequest: {
    from: "Who asks: the user's id, or a participant's name.",
    to: "Whose reasoning.",
    correlation_id: "Which sequences: the `id` of their `reasoning/start` events.",
    payload: "The request itself.",
    "payload.reason": "Why.",
    "payload.message": "Explanation; required for `other`.",
  },
  ReasoningReason: {
    timeout: "It takes too long.",
    redirect: "It should take another direction: the `message`.",
    error: "Something is wrong.",
    user_request: "A person asks.",
    resource_limit: "It uses too much.",
    other: "Anything else; a `message` is required.",
  },
  ReasoningAck: {
    "payload.limited": "Set where it is ignored because the sender has interrupted too often.",
    id: "The acknowledgement's own id.",
    from: "Who acknowledges.",
    correlation_id: "A list of one: the `id` of the `reasoning/interrupt` event.",
    payload: "The answer.",
    "payload.status": "What happens to the sequence.",
    "payload.message": "Why.",
  },
  ReasoningStatus: {
    stopping: "It stops after the current thought; the run pauses.",
    completing_thought: "It completes the current thought; for `redirect` a new sequence follows.",
    continuing: "It chooses to continue.",
    ignored: "Not authorized, or no such sequence is in progress.",
  },
};
