import { AbstractMessageWriter, type Message, MessageType } from "vscode-languageserver/node";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import { eventIn, eventMessage, isLogLine, LOG_METHOD, notification, type Outlet } from "./outlet.ts";
import { UnsentEvents } from "./unsent-events.ts";

/** Reads a team's stored events, at most `limit` after `after`. */
export type ReadEvents = (teamId: string, after: number, limit: number) => Promise<readonly DurableEvent[]>;

/** How many events are read from the store at a time. */
const PAGE = 16;

/** How many lines of the log wait for the client at most. */
const MOST_LOG_LINES = 200;

type Waiting = { readonly message: Message } | { readonly events: UnsentEvents };

/**
 * Writes messages in order. While the client does not read, events of teams leave memory, and are read from the store again
 * when the client reads on; lines of the log beyond a number are left out. All other messages wait.
 */
export class PatientWriter extends AbstractMessageWriter {
  readonly #outlet: Outlet;
  readonly #waiting: Waiting[] = [];
  #read: ReadEvents = () => Promise.resolve([]);
  #isSending = false;
  #logLines = 0;
  #leftOut = 0;

  constructor(outlet: Outlet) {
    super();
    this.#outlet = outlet;
    outlet.onError(([error, message, count]) => this.fireError(error, message, count));
    outlet.onClose(() => this.fireClose());
  }

  /** Sets how events are read from the store. */
  set readEvents(read: ReadEvents) {
    this.#read = read;
  }

  /** Resolves at once: the order of the calls is the order on the wire. */
  write(message: Message): Promise<void> {
    if (this.#waiting.length === 0 && !this.#outlet.isFull) return this.#outlet.write(message);
    this.#wait(message);
    if (!this.#isSending) void this.#send();
    return Promise.resolve();
  }

  end(): void {
    this.#outlet.end();
  }

  #wait(message: Message): void {
    const told = eventIn(message);
    if (told !== undefined) this.#unsent(told.teamId).add(told.event);
    else if (isLogLine(message) && this.#logLines === MOST_LOG_LINES) this.#leftOut++;
    else {
      if (isLogLine(message)) this.#logLines++;
      this.#waiting.push({ message });
    }
  }

  /** Where the team's next event waits: with its last ones, unless a message that is no event waits after those. */
  #unsent(teamId: string): UnsentEvents {
    // The first are being sent.
    for (let at = this.#waiting.length - 1; at > 0; at--) {
      const waiting = this.#waiting[at];
      if (waiting === undefined || !("events" in waiting)) break;
      if (waiting.events.teamId === teamId) return waiting.events;
    }
    const events = new UnsentEvents(teamId);
    this.#waiting.push({ events });
    return events;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#outlet.isFull) await this.#outlet.drained();
      const isSent = "message" in first ? this.#sendMessage(first.message) : await this.#sendEvents(first.events);
      if (isSent) this.#waiting.shift();
    }
    this.#isSending = false;
    this.#reportLeftOut();
  }

  #sendMessage(message: Message): true {
    if (isLogLine(message)) this.#logLines--;
    void this.#outlet.write(message);
    return true;
  }

  /** Sends the next page of stored events or, when there are none left, the text of open messages; true after that. */
  async #sendEvents(events: UnsentEvents): Promise<boolean> {
    const { teamId, stored } = events;
    if (stored === undefined) {
      for (const event of events.chunks) this.#tell(teamId, event);
      return true;
    }
    const page = await this.#page(teamId, stored.after);
    for (const event of page) if (event.seq <= stored.last) this.#tell(teamId, event);
    const reached = page.at(-1)?.seq;
    // A client that misses events, which the store has lost, asks for the team as it is.
    events.sentUntil(reached === undefined || page.length < PAGE ? stored.last : reached);
    return false;
  }

  async #page(teamId: string, after: number): Promise<readonly DurableEvent[]> {
    try {
      return await this.#read(teamId, after, PAGE);
    } catch (error) {
      this.#log(`Events of team ${teamId} could not be sent: ${messageOf(error)}`);
      return [];
    }
  }

  #tell(teamId: string, event: TeamEvent): void {
    void this.#outlet.write(eventMessage(teamId, event));
  }

  #reportLeftOut(): void {
    if (this.#leftOut === 0) return;
    this.#log(`${this.#leftOut} lines of the log were left out, because the client did not read.`);
    this.#leftOut = 0;
  }

  #log(message: string): void {
    void this.#outlet.write(notification(LOG_METHOD, { type: MessageType.Warning, message }));
  }
}
