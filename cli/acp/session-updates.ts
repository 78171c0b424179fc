import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { shownLine, shownText } from "../text/shown-text.ts";
import { toolCall, toolEnd } from "./tool-updates.ts";

/** Tools whose calls are shown as the change that they make. */
const EDITS: ReadonlySet<string> = new Set(["editFile", "writeFile", "applyPatch"]);

/**
 * Events of a team as updates of an ACP session. What a participant says begins with its name where another spoke before,
 * and texts that are written at the same time come one after the other.
 */
export class SessionUpdates {
  readonly #folder: string;
  readonly #hasOneSpeaker: boolean;
  /** Messages that are being written, by id. The first is shown as it comes; the text of the others waits. */
  readonly #open = new Map<string, { readonly path: string; waiting: string; shown: string }>();
  readonly #thinking = new Set<string>();
  readonly #calls = new Map<string, { readonly name: string; readonly input: unknown }>();
  readonly #said = new Map<string, string>();
  #speaker: string | undefined;
  #plan = "";

  constructor(folder: string, participants: readonly Pick<ParticipantInfo, "name">[]) {
    this.#folder = folder;
    this.#hasOneSpeaker = participants.length === 1;
  }

  /** What an event tells the client. The user's own messages are told only to a client that loads the thread. */
  of(event: TeamEvent, isLoading = false): readonly SessionUpdate[] {
    const path = "path" in event ? event.path : undefined;
    const named = (name: string): string => participantPath(path, name);
    switch (event.type) {
      case "message/chunk":
        return this.#chunk(event.messageId, named(event.source), event.delta);
      case "message/added":
        return this.#message(event.message, named(event.message.source), isLoading);
      case "reasoning/chunk":
        this.#thinking.add(named(event.from));
        return this.#thought(named(event.from), event.delta);
      case "reasoning/thought":
        return this.#wholeThought(named(event.from), event.message);
      case "tool/requested":
        return [
          ...this.#endStep(named(event.participant), event.content),
          ...event.calls.map((call) => this.#call(call)),
        ];
      case "tool/started":
        return [{ sessionUpdate: "tool_call_update", toolCallId: event.ref, status: "in_progress" }];
      case "tool/resolved":
        return event.input === undefined ? [] : this.#edited(event.ref, event.input);
      case "tool/executed":
        return [toolEnd(event.ref, { ...event, keepsContent: EDITS.has(event.name) })];
      case "handoff":
        return this.#note(`*${shownLine(named(event.from))} hands off to ${shownLine(named(event.to))}.*`);
      case "manager/noted":
      case "speaker/selected":
        return path === undefined ? this.#planned(event.note) : [];
      case "run/ended":
        return path === undefined ? this.#end(event.status.code === "success") : [];
      default:
        return [];
    }
  }

  #chunk(id: string, path: string, delta: string): readonly SessionUpdate[] {
    const open = this.#open.get(id) ?? { path, waiting: "", shown: "" };
    this.#open.set(id, open);
    open.waiting += delta;
    return this.#flow();
  }

  /** Shows what the first open message has by now. */
  #flow(): readonly SessionUpdate[] {
    const [front] = this.#open;
    if (front === undefined) return [];
    const [id, open] = front;
    // Half a character waits for the other.
    const held = /[\r\uD800-\uDBFF]$/.test(open.waiting) ? 1 : 0;
    const text = open.waiting.slice(0, open.waiting.length - held);
    if (text === "") return [];
    open.waiting = open.waiting.slice(text.length);
    const isFirst = open.shown === "";
    open.shown += text;
    this.#said.set(open.path, open.shown);
    return this.#say(open.path, text, id, isFirst);
  }

  #finish(id: string): readonly SessionUpdate[] {
    const updates = this.#open.keys().next().value === id ? this.#flow() : [];
    const open = this.#open.get(id);
    this.#open.delete(id);
    const rest =
      open === undefined || open.waiting === "" ? [] : this.#say(open.path, open.waiting, id, open.shown === "");
    return [...updates, ...rest, ...this.#flow()];
  }

  #message(message: ChatMessage, path: string, isLoading: boolean): readonly SessionUpdate[] {
    if (message.source === "user") {
      this.#speaker = undefined;
      return isLoading ? [chunk("user_message_chunk", textOf(message), message.id)] : [];
    }
    this.#said.set(path, textOf(message));
    if (this.#open.has(message.id)) return this.#finish(message.id);
    return this.#say(path, textOf(message), message.id, true);
  }

  #say(path: string, text: string, id: string, isFirst: boolean): readonly SessionUpdate[] {
    const name = this.#hasOneSpeaker || this.#speaker === path ? "" : `**${shownLine(path)}:** `;
    const before = isFirst && this.#speaker !== undefined ? "\n\n" : "";
    this.#speaker = path;
    return [chunk("agent_message_chunk", `${before}${isFirst ? name : ""}${shownText(text)}`, id)];
  }

  #note(markdown: string): readonly SessionUpdate[] {
    const before = this.#speaker === undefined ? "" : "\n\n";
    this.#speaker = "";
    return [chunk("agent_message_chunk", `${before}${markdown}`)];
  }

  /** The text with calls is no message of its own. */
  #endStep(path: string, content: string | undefined): readonly SessionUpdate[] {
    const streamed = [...this.#open].flatMap(([id, open]) => (open.path === path ? [id] : []));
    if (streamed.length > 0) return streamed.flatMap((id) => this.#finish(id));
    return content === undefined || content.trim() === "" ? [] : this.#say(path, content, `${path} step`, true);
  }

  #thought(path: string, text: string): readonly SessionUpdate[] {
    return [chunk("agent_thought_chunk", shownText(text), `${path} thought`)];
  }

  #wholeThought(path: string, text: string | undefined): readonly SessionUpdate[] {
    if (this.#thinking.delete(path) || text === undefined || text.trim() === "") return [];
    return this.#said.get(path) === text ? [] : this.#thought(path, text);
  }

  #call({ ref, name, input }: { readonly ref: string; readonly name: string; readonly input: unknown }): SessionUpdate {
    this.#calls.set(ref, { name, input });
    return { sessionUpdate: "tool_call", toolCallId: ref, status: "pending", ...toolCall(name, input, this.#folder) };
  }

  #edited(ref: string, input: unknown): readonly SessionUpdate[] {
    const known = this.#calls.get(ref);
    if (known === undefined) return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId: ref, ...toolCall(known.name, input, this.#folder) }];
  }

  /** Magentic's plan, which its manager notes: a line for each step. */
  #planned(note: unknown): readonly SessionUpdate[] {
    const plan = isRecord(note) && typeof note["plan"] === "string" ? note["plan"] : "";
    if (plan === "" || plan === this.#plan) return [];
    this.#plan = plan;
    return [{ sessionUpdate: "plan", entries: planEntries(plan, "pending") }];
  }

  #end(hasFinished: boolean): readonly SessionUpdate[] {
    const left = [...this.#open.keys()].flatMap((id) => this.#finish(id));
    if (!hasFinished || this.#plan === "") return left;
    return [...left, { sessionUpdate: "plan", entries: planEntries(this.#plan, "completed") }];
  }
}

function planEntries(plan: string, status: PlanEntry["status"]): PlanEntry[] {
  const lines = plan.split("\n").map((line) => shownLine(line.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, "")));
  return lines.filter((line) => line !== "").map((content) => ({ content, priority: "medium", status }));
}

const chunk = (
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  messageId?: string,
): SessionUpdate => ({
  sessionUpdate,
  content: { type: "text", text },
  ...(messageId === undefined ? {} : { messageId }),
});
