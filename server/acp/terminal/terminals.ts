import { randomUUID } from "node:crypto";
import { AgentTerminal } from "./agent-terminal.ts";

/** How many terminals an agent may have before it releases one. */
const MAX_TERMINALS = 50;

/** The terminals of one session that its agent has not released. What these throw is for the agent. */
export class Terminals {
  readonly #open = new Map<string, AgentTerminal>();

  create(outputByteLimit: number | null | undefined): AgentTerminal {
    if (this.#open.size >= MAX_TERMINALS)
      throw new Error(`There are ${MAX_TERMINALS} terminals; release one that is not needed any more.`);
    const terminal = new AgentTerminal(randomUUID(), outputByteLimit ?? undefined);
    this.#open.set(terminal.id, terminal);
    return terminal;
  }

  get(id: string): AgentTerminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error("There is no such terminal, or it was released.");
    return terminal;
  }

  /** Ends its command, and forgets it. */
  release(id: string): void {
    this.get(id).kill();
    this.#open.delete(id);
  }

  /** The session is over. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.release(id);
  }
}
