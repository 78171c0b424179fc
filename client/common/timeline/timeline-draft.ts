import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { PendingTool, StreamingMessage } from "../../../shared/contract/team.ts";
import { type CallView, LIVE_OUTPUT_LIMIT, type MessageItem, type TeamItem, type TimelineItem } from "./items.ts";
import { NestedDrafts } from "./nested-drafts.ts";
import { NO_OPEN_ITEMS } from "./open-items.ts";
import type { Timeline } from "./timeline.ts";

/** How many items from the end a thought that is not recorded yet can be: others speak at the same time. */
export const NEAR_END = 100;

/**
 * A copy of a timeline that the fold changes in place, so that a batch of events costs one copy. Items themselves are never
 * changed, only replaced: an item that is the same object looks the same.
 */
export class TimelineDraft {
  readonly items: TimelineItem[];
  readonly messages: Map<string, string>;
  readonly calls: Map<string, string>;
  readonly commands: Map<string, string>;
  readonly retries: Map<string, string>;
  speakers: readonly string[];
  directedTo: string | null;
  beginsRun: boolean | undefined;
  readonly began: Map<string, boolean>;
  /** True for a nested team: events of the whole run are shown by the outer team only. */
  readonly nested: boolean;
  readonly teams: NestedDrafts<TimelineDraft>;

  constructor({ items, open }: Pick<Timeline, "items" | "open"> = { items: [], open: NO_OPEN_ITEMS }, nested = false) {
    this.items = [...items];
    this.messages = new Map(open.messages);
    this.calls = new Map(open.calls);
    this.commands = new Map(open.commands);
    this.retries = new Map(open.retries);
    this.speakers = open.speakers;
    this.directedTo = open.directedTo;
    this.beginsRun = open.beginsRun;
    this.began = new Map(open.began);
    this.nested = nested;
    this.teams = new NestedDrafts<TimelineDraft>(this, open.teams);
  }

  /** The draft of a nested team's timeline, empty when none is given. */
  nestedDraft(timeline?: Pick<Timeline, "items" | "open">): TimelineDraft {
    return new TimelineDraft(timeline, true);
  }

  finish(events: readonly DurableEvent[]): Timeline {
    const teams = this.teams.finish();
    const { items, messages, calls, commands, retries, speakers, directedTo, beginsRun, began } = this;
    const open = { messages, calls, commands, retries, speakers, directedTo, beginsRun, began, teams };
    return { items, events, open };
  }

  get last(): TimelineItem | undefined {
    return this.items.at(-1);
  }

  push(item: TimelineItem): void {
    this.items.push(item);
  }

  /** Removes the items from that one on. */
  cut(from: number): void {
    this.items.length = from;
  }

  /** Replaces the last item of this kind and key by the result of `change`; null removes it. */
  change<K extends TimelineItem["kind"]>(
    kind: K,
    key: string,
    change: (item: Extract<TimelineItem, { kind: K }>) => TimelineItem | null,
  ): void {
    // Open items are near the end.
    const index = this.items.findLastIndex((item) => item.kind === kind && item.key === key);
    const found = this.items[index];
    if (found === undefined || !isKind(found, kind)) return;
    const changed = change(found);
    if (changed === null) this.items.splice(index, 1);
    else this.items[index] = changed;
  }

  /** Closes a streaming message with the result of `change`. Returns false when no message of that id is streaming. */
  closeMessage(id: string, change: (item: MessageItem) => MessageItem | null): boolean {
    if (!this.messages.delete(id)) return false;
    this.change("message", id, change);
    return true;
  }

  changeCall(ref: string, change: (call: CallView) => CallView): boolean {
    const key = this.calls.get(ref);
    if (key === undefined) return false;
    this.change("tools", key, (item) => ({
      ...item,
      calls: item.calls.map((call) => (call.ref === ref ? change(call) : call)),
    }));
    return true;
  }

  addCalls(key: string, at: string, source: string, calls: readonly CallView[]): void {
    for (const { ref } of calls) this.calls.set(ref, key);
    this.push({ kind: "tools", key, at, source, calls });
  }

  /** Ends the retry of a participant: something else of it arrived. */
  endRetry(source: string): void {
    const key = this.retries.get(source);
    if (key === undefined) return;
    this.retries.delete(source);
    this.change("retry", key, (item) => ({ ...item, over: true }));
  }

  /**
   * Closes what a run leaves open: partial messages stay, empty ones are removed, calls stay open.
   * @param teams the new state of nested teams that are working.
   */
  endRun(teams: TeamItem["state"]): void {
    for (const id of [...this.messages.keys()]) {
      this.closeMessage(id, (item) => (item.text === "" ? null : { ...item, state: "partial" }));
    }
    for (const source of [...this.retries.keys()]) this.endRetry(source);
    for (const item of this.items.slice(-NEAR_END)) {
      if (item.kind === "thought" && item.live !== undefined) this.change("thought", item.key, () => null);
    }
    this.teams.endRun(teams);
    this.speakers = [];
    this.directedTo = null;
    this.beginsRun = undefined;
  }

  /** Closes everything, calls too: their thread no longer exists. */
  endThread(): void {
    this.teams.endThread();
    for (const ref of [...this.calls.keys()]) {
      this.changeCall(ref, (call) => ({ ...call, state: "interrupted" }));
      this.calls.delete(ref);
    }
    this.endRun("stopped");
  }

  /** Whether the call has no result yet, here or in a nested team. */
  hasCall(ref: string): boolean {
    return this.calls.has(ref) || this.teams.hasCall(ref);
  }

  /** Marks a call as waiting for the user's decision; adds it at the end when its request is not among the loaded events. */
  addPendingCall(pending: PendingTool, key: string, at: string): void {
    const { ref, name, participant, input, interrupt, approval, reason, review } = pending;
    const waiting = {
      state: "waiting" as const,
      input,
      ...(interrupt === undefined ? {} : { interrupt }),
      ...(approval === undefined ? {} : { approval }),
      ...(reason === undefined ? {} : { reason }),
      ...(review === undefined ? {} : { review }),
    };
    if (this.changeCall(ref, (call) => ({ ...call, ...waiting }))) return;
    this.addCalls(key, at, participant, [{ ref, name, ...waiting }]);
  }

  /** The text that a streaming message had when the snapshot was taken. */
  setStreamedText({ messageId, source, text }: StreamingMessage, at: string): void {
    if (!this.messages.has(messageId)) {
      this.messages.set(messageId, source);
      this.push({ kind: "message", key: messageId, at, source, type: "TextMessage", text: "", state: "streaming" });
    }
    this.change("message", messageId, (item) => ({ ...item, text }));
  }

  appendText(id: string, delta: string): void {
    if (!this.messages.has(id)) return;
    this.change("message", id, (item) => ({ ...item, text: item.text + delta }));
  }

  appendOutput(ref: string, delta: string): void {
    this.changeCall(ref, (call) => ({ ...call, live: ((call.live ?? "") + delta).slice(-LIVE_OUTPUT_LIMIT) }));
  }

  /** Restores what durable events do not have from an earlier fold: streamed text, live output, older pending calls. */
  restoreLive(items: readonly TimelineItem[]): void {
    for (const item of items) {
      if (item.kind === "message" && item.state === "streaming") {
        this.setStreamedText({ messageId: item.key, source: item.source, text: item.text }, item.at);
      }
      if (item.kind === "thought" && item.live === "streaming") this.push(item);
      if (item.kind === "team" && item.state === "working") {
        this.teams.getOrAdd(item.source, item.key, item.at).restoreLive(item.items);
      }
      if (item.kind !== "tools") continue;
      for (const call of item.calls) {
        if (call.live !== undefined) this.appendOutput(call.ref, call.live);
        if (call.state === "waiting") this.addPendingCall({ ...call, participant: item.source }, item.key, item.at);
      }
    }
  }
}

function isKind<K extends TimelineItem["kind"]>(
  item: TimelineItem,
  kind: K,
): item is Extract<TimelineItem, { kind: K }> {
  return item.kind === kind;
}
