import type { ParamsOf } from "../../shared/contract/message-type.ts";
import type { TeamSendUserMessage } from "../../shared/contract/requests.ts";

type Message = Pick<ParamsOf<typeof TeamSendUserMessage>, "to" | "delivery"> & { readonly messages: string };

const DELIVERIES = { "/now": "now", "/queue": "queue", "/steer": "steer" } as const;

/**
 * What the user typed, as a message to the participant that it begins with, or to the team: `@bob look at the tests`. It is
 * delivered at the next turn; `/now` before it interrupts, and `/queue` waits until the run has ended.
 */
export function typedMessage(line: string): Message | undefined {
  const [, command, text = ""] = /^(\/(?:now|queue|steer)(?=\s|$))?\s*(.*)$/s.exec(line.trim()) ?? [];
  const [, to, rest] = /^@([\p{L}_][\p{L}\p{N}_/-]*)\s+(.*)$/su.exec(text) ?? [];
  const messages = (rest ?? text).trim();
  if (messages === "") return undefined;
  const delivery = DELIVERIES[command as keyof typeof DELIVERIES] ?? "steer";
  return { messages, delivery, ...(to === undefined ? {} : { to }) };
}
