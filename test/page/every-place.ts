import type { ToPage } from "../../client/common/page-messages.ts";
import { TeamScript, USER } from "./team-script.ts";

/** What the last message of the team says, to see that the page shows it. */
export const LAST = "The page still works.";

/** A team with this text in every place that a model, a tool, an endpoint or a team file fills. */
export function textEverywhere(text: string): TeamScript {
  const script = new TeamScript(text, {
    description: text,
    participants: [
      { name: "author", description: text },
      { name: "reviewer", description: text },
    ],
  }).task(text);
  const message = script.startMessage("author");
  script.chunk(message, text).endMessage(message, "author", text);
  script.say(text, text);
  script.durable(
    { type: "reasoning/thought", from: "author", correlation_id: ["x"], message: text },
    {
      type: "tool/requested",
      participant: "author",
      content: text,
      calls: [
        { ref: "c1", name: text, input: text },
        { ref: "c2", name: "runCommand", input: { command: text, cwd: text, [text]: [text] } },
        { ref: "c3", name: "ask", input: { [text]: text } },
      ],
    },
    { type: "tool/started", ref: "c1", approved: { rule: text, reason: text } },
    { type: "tool/started", ref: "c2" },
    { type: "tool/executed", ref: "c1", name: text, participant: "author", output: text, isError: true },
    { type: "handoff", from: "author", to: text },
    { type: "memory/added", participant: "author", text },
    { type: "model/asked", by: text, purpose: text },
    {
      type: "context/summarized",
      participant: "author",
      summary: { text, through: { messageId: message } },
      tokens: { before: 2, after: 1 },
    },
    { type: "context/restored", participant: text, by: text },
    { type: "context/summaryRequested", participant: text, by: text },
    { type: "model/retry", participant: "author", attempt: 1, waitMs: 1, reason: text },
    {
      type: "model/fallback",
      participant: text,
      from: { provider: text, name: text, origin: text },
      to: { provider: text, vendor: text },
      reason: text,
    },
    { type: "model/waiting", participant: "author", endpoint: text, until: text },
    {
      type: "tool/executed",
      ref: "c2",
      name: "runCommand",
      participant: "author",
      output: { [text]: text, list: [text, { text }] },
      isError: false,
    },
    { type: "tool/interrupted", ref: "c3", name: "ask", participant: "author", input: { text }, interrupt: text },
    { type: "tool/resolved", ref: "c3", how: "deny", by: text, reason: text },
    {
      type: "reasoning/interrupt",
      id: "r1",
      from: text,
      to: [text],
      correlation_id: ["x"],
      payload: { reason: "other", message: text },
    },
    {
      type: "reasoning/interrupt-ack",
      id: "r2",
      from: text,
      correlation_id: ["r1"],
      payload: { status: "ignored", message: text },
    },
    { type: "error", message: text, data: { code: text, fix: text, secret: text, path: text } },
  );
  script.message("author", {
    type: "MultiModalMessage",
    content: [
      { type: "text", text },
      { type: "image", uri: text, mimeType: text },
      { type: "image", uri: `data:image/svg+xml,${text}` },
    ],
  });
  script.message("author", { type: "StructuredMessage", content: { [text]: text, list: [text] } });
  script.message("author", {
    type: "HandoffMessage",
    content: text,
    metadata: { target: text, context: [{ name: text, input: { text }, output: text, isError: false }] },
  });
  script.message(USER, { type: "UserTextMessage", content: text, metadata: { to: text, visibility: "target" } });
  script.queueMessage(text, text).queueMessage("reviewer", text, { by: text, delivery: "steer", visibility: "target" });
  const partial = script.startMessage("reviewer");
  const named = { participant: text, path: [text] };
  script.chunk(partial, text).interrupt(partial, "reviewer", text, {
    stopped: { participants: [named], tools: [{ ...named, ref: "c2", name: text, mayHaveHadEffects: true }] },
    kept: { messages: 4, words: 24, queued: 1, pendingTools: 0 },
  });
  script.durable({
    type: "run/ended",
    stopReason: text,
    status: { code: "error", message: text, reason: text },
    usage: { prompt: 1, completion: 1, total: 2 },
  });
  return script.say("reviewer", LAST);
}

/** What else the extension sends, with the text in it. */
export function messagesWith(text: string, teamId: string): ToPage[] {
  return [
    { type: "interruptPreview", teamId, calls: { c2: text } },
    { type: "notice", message: text, actions: [{ label: text, command: "setApiKey", argument: text }] },
    { type: "image", uri: text, source: null },
    { type: "compose", to: text, text },
  ];
}

/** The welcome page with the text in it. */
export function welcomeWith(text: string): ToPage {
  return {
    type: "welcome",
    ownTeamFiles: [],
    trusted: true,
    workspace: true,
    teamFiles: [{ uri: text, label: text }],
    stored: [{ teamId: text, name: text, updatedAt: text, lastLine: text }],
  };
}
