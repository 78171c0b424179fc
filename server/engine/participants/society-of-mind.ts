import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { ContextItem, Model } from "../model.ts";
import { Assistant } from "./assistant.ts";
import { hasEnded, runNested } from "./nested-run.ts";
import type { NestedTeam } from "./nested-team.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";

const DEFAULT_INSTRUCTIONS =
  "You write the answer of a team that discussed a request internally. You see the whole discussion; the requester does not.";

const SUMMARY_REQUEST =
  "Write the final answer to the request. State the team's result as one complete answer, and do not mention the discussion.";

export interface SocietyOfMindOptions {
  readonly definition: ParticipantDefinition;
  readonly team: NestedTeam;
  readonly model: Model;
}

/**
 * A nested team with one public answer (AutoGen's SocietyOfMindAgent): it discusses a request, a model summarizes the
 * discussion as the answer, and the discussion is discarded.
 */
export class SocietyOfMind implements Participant {
  readonly name: string;
  readonly #team: NestedTeam;
  readonly #summarizer: Assistant;

  constructor({ definition, team, model }: SocietyOfMindOptions) {
    this.name = definition.name;
    this.#team = team;
    this.#summarizer = new Assistant({
      name: definition.name,
      instructions: definition.instructions ?? DEFAULT_INSTRUCTIONS,
      model,
      tools: [],
    });
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    // After an interrupt, the summary may be all that is left to do.
    if (!hasEnded(this.name, this.#team, turn)) {
      const run = await runNested(this.name, this.#team, turn);
      if (run.kind !== "done") return run;
    }
    return this.#summarizer.takeTurn({ ...turn, items: this.#summaryItems(turn) });
  }

  /** Discards the discussion once the answer is in the thread. Until then an interrupted answer still needs it. */
  onConcluded(): void {
    this.#team.reset();
  }

  #summaryItems({ items }: Turn): ContextItem[] {
    const said = this.#team.messages.map(
      (message): ContextItem => ({ role: "user", source: message.source, content: textOf(message) }),
    );
    // A partial answer from before an interrupt is continued.
    const partialAnswer = items.filter((item) => item.role === "assistant" && item.partial === true).slice(-1);
    return [...said, { role: "user", source: "user", content: SUMMARY_REQUEST }, ...partialAnswer];
  }
}
