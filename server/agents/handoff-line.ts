import type { Handoff, Reply } from "../engine/index.ts";

/** What an agent is told about its handoffs: it has no tool for them, so it writes a line. */
export function handoffLine(handoffs: readonly Handoff[]): string[] {
  if (handoffs.length === 0) return [];
  const targets = handoffs.map(
    ({ target, description }) => `- ${target}${description === undefined ? "" : `: ${description}`}`,
  );
  return [
    `To hand the conversation over to another participant, end your message with a line "HANDOFF: name". You can hand over to:\n${targets.join("\n")}`,
  ];
}

/** How much of the end of a reply is looked at for the line, in characters. */
const MAX_LINE = 500;

/** The reply, or the handoff that its last line makes. */
export function withHandoff(reply: Reply, handoffs: readonly Handoff[]): Reply {
  if (typeof reply.content !== "string" || handoffs.length === 0) return reply;
  const end = `\n${reply.content.trimEnd()}`.slice(-MAX_LINE);
  const [, name] = /\n\W*HANDOFF:\s*(.+?)\W*$/.exec(end) ?? [];
  const handoff = handoffs.find(({ target }) => target === name);
  if (handoff === undefined) return reply;
  return { ...reply, type: "HandoffMessage", metadata: { ...reply.metadata, target: handoff.target } };
}
