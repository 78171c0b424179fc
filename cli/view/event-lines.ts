import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { endedCommandText } from "../../shared/text/command-text.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { decisionText, ELSEWHERE, interruptedBy, personName } from "./acts-text.ts";
import { callLine, type Look, noteLines, speakerLine, textLines } from "./look.ts";
import { callEnd, messageNote, messageText, receiptText, runEndText, usageNote } from "./thread-text.ts";

/** The lines that events print, without what streams. It remembers calls by their refs, and who spoke last. */
export class EventLines {
  readonly #calls = new Map<string, { readonly name: string; readonly input: unknown }>();
  /** The call that started each background command, by the command's id. */
  readonly #commands = new Map<string, string>();
  /** The last text of each participant, and that of each message which is not complete. */
  readonly #said = new Map<string, string>();
  readonly #open = new Map<string, string>();
  readonly #streamed = new Set<string>();
  #speaker: string | undefined;

  /** Whose lines come next, after a line with the name where that is somebody else. */
  heading(look: Look, path: string, note = ""): string[] {
    if (this.#speaker === path && note === "") return [];
    this.#speaker = path;
    return ["", speakerLine(look, path, note)];
  }

  /** What comes next has a name above it again. */
  interrupted(): void {
    this.#speaker = undefined;
  }

  /** A text of a participant was shown, or is being shown: the same text as a thought is not shown again. */
  said(path: string, text: string): void {
    this.#said.set(path, text);
  }

  /** The text with the next calls of a participant is on the screen already. */
  streamed(path: string): void {
    this.#streamed.add(path);
  }

  /** The thread is opened as it is: what its events are about may have been before. */
  opened({ pendingTools, calls }: Pick<TeamState, "pendingTools" | "calls">): void {
    for (const { ref, name, input } of [...pendingTools, ...calls]) this.#calls.set(ref, { name, input });
  }

  /** The lines of an event; none for one that is not shown. `isElsewhere` if the own user did that in another client. */
  of(event: TeamEvent, look: Look, isElsewhere = false): string[] {
    const path = "path" in event ? event.path : undefined;
    const named = (name: string): string => participantPath(path, name);
    switch (event.type) {
      case "message/chunk":
        this.said(named(event.source), (this.#open.get(event.messageId) ?? "") + event.delta);
        this.#open.set(event.messageId, this.#said.get(named(event.source)) ?? "");
        return [];
      case "message/added":
        this.#open.delete(event.message.id);
        return this.#message(event.message, named(event.message.source), look, isElsewhere);
      case "reasoning/thought":
        return this.#thought(named(event.from), event.message, look);
      case "tool/requested":
        for (const { ref, name, input } of event.calls) this.#calls.set(ref, { name, input });
        return this.#calling(named(event.participant), event.content, look);
      case "tool/executed": {
        const call = this.#calls.get(event.ref) ?? { name: event.name, input: undefined };
        this.#calls.delete(event.ref);
        return [...this.heading(look, named(event.participant)), callLine(look, call, callEnd(event))];
      }
      case "command/started":
        this.#commands.set(event.id, event.ref);
        return [];
      case "command/ended": {
        const call = this.#commands.get(event.id) ?? "";
        this.#commands.delete(event.id);
        // The call itself says how it ended.
        return this.#calls.has(call) ? [] : this.#note(look, endedCommandText(event));
      }
      case "handoff":
        return this.#note(look, `${named(event.from)} hands off to ${named(event.to)}`);
      case "model/retry":
        return this.#note(look, `${named(event.participant)} asks its model again: ${event.reason}`);
      case "interrupt/completed":
        return path === undefined ? this.#note(look, `■ ${receiptText(event)}`, look.style.yellow) : [];
      case "error":
        return path === undefined ? this.#note(look, event.message, look.style.red) : [];
      case "run/ended":
        return path === undefined ? this.#end(event, look) : [];
      default:
        return this.#act(event, look, isElsewhere);
    }
  }

  /** What somebody else, or the own user in another client, has done. */
  #act(event: TeamEvent, look: Look, isElsewhere: boolean): string[] {
    const where = { isElsewhere, people: look.people, user: look.user };
    const note = (text: string | undefined): string[] => (text === undefined ? [] : this.#note(look, text));
    switch (event.type) {
      case "tool/resolved": {
        const asked = this.#calls.get(event.ref);
        if (asked !== undefined && event.input !== undefined)
          this.#calls.set(event.ref, { ...asked, input: event.input });
        return note(decisionText(event, asked?.name ?? "a call", where));
      }
      case "tool/approved":
        return note(decisionText(event, this.#calls.get(event.ref)?.name ?? "a call", where));
      case "interrupt/requested":
        return event.path === undefined ? note(interruptedBy(event, where)) : [];
      default:
        return [];
    }
  }

  #message(message: ChatMessage, path: string, look: Look, isElsewhere: boolean): string[] {
    this.said(path, messageText(message));
    const name = isUsers(message, look.user) ? "you" : personName(path, look);
    const note = [messageNote(message), isElsewhere ? ELSEWHERE : ""].filter((part) => part !== "").join(" ");
    return [...this.heading(look, name, note), ...textLines(look, messageText(message))];
  }

  /** What was said with calls, unless it was shown as it streamed. */
  #calling(path: string, content: string | undefined, look: Look): string[] {
    const wasShown = this.#streamed.delete(path);
    if (content === undefined || content.trim() === "" || wasShown) return [];
    this.said(path, content);
    return [...this.heading(look, path), ...textLines(look, content)];
  }

  /** A step's text can come as a thought too. It is shown once, as the message. */
  #thought(path: string, text: string | undefined, look: Look): string[] {
    if (text === undefined || text.trim() === "" || this.#said.get(path) === text) return [];
    return [...this.heading(look, path), ...textLines(look, text, look.style.dim)];
  }

  #end(event: Extract<TeamEvent, { type: "run/ended" }>, look: Look): string[] {
    const text = runEndText(event);
    if (text === undefined) return [];
    // The error itself is shown by its own event.
    const shown = event.status.code === "error" ? "Failed" : text;
    const paint = event.status.code === "error" ? look.style.red : look.style.green;
    const usage = usageNote(event.usage);
    return this.#note(look, `${shown}${usage === "" ? "" : ` · ${usage}`}`, paint);
  }

  #note(look: Look, text: string, paint?: (line: string) => string): string[] {
    this.interrupted();
    return ["", ...noteLines(look, text, paint)];
  }
}

/** Said by the user of this command line, here or in another client. */
const isUsers = ({ source, type }: ChatMessage, user: string): boolean => source === user && type !== "HandoffMessage";
