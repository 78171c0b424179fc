import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import type { Participant, TeamEvent, Tool, Turn, TurnOutcome } from "../engine/index.ts";
import type { RemoteAgent } from "./remote-agent.ts";
import type { RemoteServices } from "./remote-services.ts";

export interface A2aParticipantOptions {
  readonly definition: ParticipantDefinition;
  readonly services: RemoteServices;
}

/** An agent elsewhere that speaks Agent2Agent, as a participant. What speaks with it is loaded with its first turn. */
export class A2aParticipant implements Participant {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly #options: A2aParticipantOptions;
  #agent: RemoteAgent | undefined;

  constructor(options: A2aParticipantOptions) {
    this.name = options.definition.name;
    this.tools = [options.services.askUser];
    this.#options = options;
  }

  /** @throws GavelError with a sentence that says what to do. */
  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const { RemoteAgent } = await import("./sdk.ts");
    this.#agent ??= new RemoteAgent(this.#options);
    const end = await this.#agent.takeTurn(turn);
    if (end.kind === "failed") throw modelError(end.message, { retryable: true });
    return end;
  }

  /** A turn that waited for the user is over: it was interrupted, or the conversation is another now. */
  onEvent(event: TeamEvent): void {
    this.#agent?.onEvent(event);
  }
}
