import type { GraphEdge, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { DurableDraft, DurableEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, NO_USAGE, type TeamState } from "../../../shared/state/team-state.ts";
import { graphManager } from "../managers/graph/graph-manager.ts";
import type { Manager, SelectionContext } from "../managers/manager.ts";

/** An edge as tests write it. */
export type TestEdge = readonly [from: string, to: string, more?: Pick<GraphEdge, "when" | "join">];

/** A graph team with these participants and edges. */
export function graphTeam(
  names: readonly string[],
  edges: readonly TestEdge[],
  entry?: string | string[],
): TeamDefinition {
  return {
    name: "Rehearsal",
    kind: "graph",
    participants: names.map((name) => ({ name })),
    graph: {
      edges: edges.map(([from, to, more = {}]) => ({ from, to, ...more })),
      ...(entry === undefined ? {} : { entry }),
    },
  };
}

/**
 * A graph team of which only the manager is real: the test decides who finishes when, and with which text. Events are folded
 * by the real reducer, and a new manager is created for each selection, as after a restart.
 */
export class GraphSimulation {
  readonly #definition: TeamDefinition;
  readonly #messages: ChatMessage[] = [];
  readonly #turns = new Map<string, string>();
  #state: TeamState;

  constructor(definition: TeamDefinition) {
    this.#definition = definition;
    this.#state = initialTeamState("graph", definition);
  }

  get speaking(): string[] {
    return [...this.#turns.keys()];
  }

  /** The manager's note as text. */
  get note(): string {
    return JSON.stringify(this.#state.note);
  }

  /** Replaces the manager's note. */
  replaceNote(note: unknown): void {
    this.#record({ type: "manager/noted", note });
  }

  /**
   * Asks the manager and starts the speakers that it selects; returns the new speakers, or why the graph ended, which ends
   * the run.
   */
  next(manager: Manager = graphManager(this.#definition)): string[] | string {
    const selection = manager.select(this.#context());
    if (selection instanceof Promise) throw new Error("A graph chooses at once.");
    if ("end" in selection) {
      this.#end(true);
      return selection.end;
    }
    const { speakers, note } = selection;
    if (speakers.length > 0) this.#record({ type: "speaker/selected", participants: [...speakers], note });
    for (const name of speakers) this.#begin(name);
    return [...speakers];
  }

  /** Ends the turn of `name` with this text. */
  finish(name: string, text = name): void {
    const id = this.#turns.get(name);
    if (id === undefined) throw new Error(`${name} is not speaking.`);
    this.#turns.delete(name);
    this.#say(name, text);
    this.#record({ type: "reasoning/conclusion", from: name, correlation_id: [id] });
  }

  /**
   * Ends the turns of `names` one by one, and asks the manager after each; returns all speakers that it selected, or why the
   * graph ended.
   */
  play(...names: readonly string[]): string[] | string {
    const chosen: string[] = [];
    for (const name of names) {
      this.finish(name);
      const next = this.next();
      if (typeof next === "string") return next;
      chosen.push(...next);
    }
    return chosen;
  }

  /** Interrupts everyone who speaks; `stop` also ends the graph. */
  interrupt(severity: "pause" | "stop" = "pause"): void {
    for (const [name, id] of this.#turns) {
      this.#say(name, "partial", { partial: true });
      this.#record({ type: "reasoning/conclusion", from: name, correlation_id: [id], interrupted: true });
    }
    this.#turns.clear();
    this.#end(severity === "stop");
  }

  /** The user sends a message to `name`, which gives this answer. */
  ask(name: string, answer: string): void {
    this.#record({ type: "speaker/selected", participants: [name], directed: "continue" });
    this.#begin(name);
    this.finish(name, answer);
  }

  #begin(name: string): void {
    if (this.#turns.has(name)) throw new Error(`${name} is speaking already.`);
    const id = `turn-${this.#state.lastSeq}`;
    this.#record({ type: "reasoning/start", id, from: name, input: "" });
    this.#turns.set(name, id);
  }

  #end(resets: boolean): void {
    this.#record({
      type: "run/ended",
      stopReason: null,
      status: { code: "success" },
      usage: NO_USAGE,
      ...(resets ? { resets } : {}),
    });
  }

  #say(source: string, content: string, more: Partial<ChatMessage> = {}): void {
    const message = {
      id: `msg-${this.#state.lastSeq}`,
      type: "TextMessage" as const,
      source,
      content,
      createdAt: "",
      ...more,
    };
    this.#messages.push(message);
    this.#record({ type: "message/added", message });
  }

  #record(draft: DurableDraft): void {
    const event = { seq: this.#state.lastSeq + 1, at: "", ...draft } as DurableEvent;
    // Stored events have been through JSON.
    this.#state = reduceTeam(this.#state, JSON.parse(JSON.stringify(event)) as DurableEvent);
  }

  #context(): SelectionContext {
    const unasked = (): never => {
      throw new Error("A graph asks no model and says nothing.");
    };
    return {
      state: this.#state,
      messages: this.#messages,
      speaking: this.speaking,
      signal: new AbortController().signal,
      askModel: unasked,
      streamMessage: unasked,
      addMessage: unasked,
      saveNote: (note) => this.replaceNote(note),
    };
  }
}
