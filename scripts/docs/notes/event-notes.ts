/** When an event is sent; `like` names the shape whose fields it also has. */
export interface EventNote {
  readonly text: string;
  readonly like?: string;
}

/** The events of docs/PROTOCOL.md by type, in the page's order. */
export const EVENT_NOTES: Readonly<Record<string, EventNote>> = {
  "run/started": {
    text: "A run starts. `cause`: `run` (`team/run`), `userMessage` (a directed message), or `tools` (answers to pending calls). `by` is the user who did that; that of a nested team has none.",
  },
  "run/ended": {
    text: "The run is over. `usage` is the run's. `resets` marks a normal end: conditions and the turn count start over. `flow` says what then becomes of a graph, or of an orchestrator's plan: `open`, the next run goes on where it stood; `finished`, the next task starts it over. Left out: nothing of it is kept.",
  },
  "speaker/selected": {
    text: "Who speaks next; several at once in a graph. `directed` marks the reply to a directed message and says what follows it. `note` replaces what the manager keeps in mind.",
  },
  "manager/noted": { text: "The manager keeps something in mind, such as a plan; it replaces the note before." },
  "model/asked": {
    text: "A model step that made no message and no call, such as a selector's choice: who was asked, what for, and what it cost.",
  },
  "message/started": { text: "A message begins. Its chunks follow." },
  "message/chunk": { text: "A piece of the message in progress. The chunks of a message, joined, are its content." },
  "message/added": {
    text: "A message is in the thread: a whole one (also the task and the user's messages, which have no chunks), or a partial one. It replaces the chunks of its `id`.",
  },
  "message/edited": { text: "The text of a partial message was replaced." },
  "message/dropped": {
    text: "A partial message was removed. `fromEnd` was its place in the thread, 1 for the last message.",
  },
  "tool/requested": {
    text: "A model asks for tool calls. `content` is the text that came with them; no message is added for it.",
  },
  "tool/started": {
    text: "A tool starts. `approved`: why it did not ask. Left out for a tool that never asks, and for a call that the user told to run.",
  },
  "tool/output": { text: "A running tool printed something." },
  "tool/executed": {
    text: "The result of a call; each call gets exactly one. `interrupted` marks a result that says the call was cut short. `exit` says how the command of the host's own tool ended: by its exit code, by a signal, or because its time was up. `reviewed` says what the user did with a result that waited for review; `unreviewed` is what the tool gave where an interrupt came before that, which no model is shown.",
  },
  "tool/abandoned": {
    text: "After an interrupt the tool did not stop in time. Its late result is accepted until the run continues.",
  },
  "tool/interrupted": { like: "PendingTool", text: "A call waits for the user." },
  "tool/resolved": {
    text: "The user, or a rule that they added, answered a pending call. `input` is the edited input, if it was edited.",
  },
  handoff: { text: "One participant hands over to another; `to` may be outside the team, which then stops." },
  "plan/updated": { text: "A participant wrote its plan, or the user (`by`) edited it. Without items there is none." },
  "context/summarizing": { text: "A participant's model is asked for a summary of its context." },
  "context/summarized": {
    text: "From here on the model of a participant is shown this summary, which it wrote, in place of the conversation up to `through`. `tokens` is the estimated size of its request before and after.",
  },
  "context/restored": {
    text: "The user undid the summary, or the request for one: the participant's model is shown the messages again.",
  },
  "context/summaryRequested": {
    text: "The user wants the participant's context to be summarized before its model is asked next.",
  },
  "command/started": {
    text: "A call of `runCommand` goes on in the background. Of the outermost team; `through` leads to its participant's nested team.",
  },
  "command/ended": { text: "A background command has ended, or its host has." },
  "memory/added": { text: "A participant noted something for itself." },
  "tool/approved": {
    text: "One of the approvals that a call needs before it runs (`required`): to run it with the input `value`, or to use the output `value` in its place (`how`). If others have approved something else, the count starts again. The last approval is `tool/resolved`.",
  },
  "userInput/requested": {
    text: "It is a user participant's turn: the run ends. `through` leads to it where it is in a nested team.",
  },
  "userMessage/queued": { like: "QueuedMessage", text: "A directed message waits (`queue` or `steer`)." },
  "userMessage/edited": { text: "The text of a waiting message was replaced." },
  "userMessage/reordered": { text: "The waiting messages are in another order." },
  "userMessage/withdrawn": { text: "A waiting message was withdrawn." },
  "userMessage/delivered": { text: "The message is in the thread, and its target is asked next." },
  "userMessage/answered": { text: "The target has replied." },
  "interrupt/requested": {
    text: "An interrupt was requested: by the user, a rule of the team, a participant, or the host (`by`). `rule` marks a rule, as participants can have any name.",
  },
  "interrupt/acknowledged": { text: "From here on the host starts no model request and no tool for the run." },
  "interrupt/completed": { like: "InterruptReceipt", text: "Everything is at rest. The receipt." },
  "reasoning/start": { text: "A turn begins: a reasoning sequence. `input` is the first line of what it replies to." },
  "reasoning/chunk": {
    text: "A piece of what a model is thinking. The `reasoning/thought` that follows has the whole text.",
  },
  "reasoning/thought": {
    text: "A model step, or a summary of a model's reasoning. One that was cut short, by an interrupt or an error, has the text that had come. `correlation_id` is the list of the sequence's `id`.",
  },
  "reasoning/conclusion": {
    text: "The turn is over. `interrupted` where it was cut short; `message` says why. With `complete`, its message is complete all the same, and its participant is not asked again.",
  },
  "reasoning/interrupt": {
    like: "ReasoningRequest",
    text: "Reasoning is to be interrupted. The host gave the request its `id`. `by` is the user whose client asked, whatever `from` says.",
  },
  "reasoning/interrupt-ack": { like: "ReasoningAck", text: "A participant acknowledged a reasoning interrupt." },
  "model/retry": { text: "A model request failed and is tried again after `waitMs` milliseconds." },
  "model/fallback": {
    text: "The model `from` could not answer, for this `reason`, and its fallback `to` is asked. Text that had come is continued.",
  },
  "model/waiting": {
    text: "A model request is not sent yet, as its endpoint takes no more at the moment: until `until`, if that is known. All requests to the endpoint back off together.",
  },
  "model/waited": { text: "The request that waited for its endpoint is sent." },
  "stop/requested": {
    text: "The run ends with the current turn (`team/stop`). The next `run/ended` that leaves no call pending ends this too.",
  },
  "stop/withdrawn": { text: "The run no longer ends with the current turn." },
  "team/renamed": {
    text: "The team has another title, or none: `null`. A copy that `team/fork` made starts with one.",
  },
  "model/chosen": {
    text: "The user chose the model of a participant and of everyone in its nested team or, without one, of the whole team. `null`: what the definition says, or for a participant the team's.",
  },
  "participants/changed": {
    text: "The user added, removed or replaced participants (`team/changeParticipants`), of a nested team where `within` leads to one. `definition` is the whole team's from then on. Without `changes`, the team was opened with another definition after such a change.",
  },
  "approvers/changed": { text: "The chair has said how many users have to approve calls, and who." },
  "role/changed": {
    text: "The role of a `user` of the team; without one, that of newcomers. Who gets the chair has it instead of who had it, who is a member then. `taken`: while no client of the chair's user was connected. Until there is a second user there are no such events.",
  },
  "team/reset": { text: "The thread was emptied." },
  "state/loaded": { text: "A saved state replaced the team's own. A client SHOULD call `team/inspect`." },
  error: {
    text: "Something failed, in the turn of `participant` if it has one; `data` is that of the [error table](#errors). The run it happened in ends with `status.code` `error`.",
  },
};
