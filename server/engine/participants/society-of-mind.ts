import type { ContextDefinition, ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import { cutText } from "../context/continued-text.ts";
import { groupItems } from "../context/item-groups.ts";
import { othersItem } from "../context/message-item.ts";
import { contextItems } from "../context/model-context.ts";
import type { ContextItem, Model } from "../model.ts";
import { Assistant } from "./assistant.ts";
import { answerWithin, hasEnded, messageForNested, runNested } from "./nested-run.ts";
import type { NestedTeam } from "./nested-team.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";

const DEFAULT_INSTRUCTIONS =
  "You write the answer of a team that discussed a request internally. You see the whole discussion; the requester does not.";

const SUMMARY_REQUEST =
  "Write the final answer to the request. State the team's result as one complete answer, and do not mention the discussion.";

export interface SocietyOfMindOptions {
  readonly definition: ParticipantDefinition;
  /** The name of the team that it is in. */
  readonly outer: string;
  readonly team: NestedTeam;
  /** The model that it has now. */
  readonly model: () => Model;
  /** How much of the talk before the team is shown; all of it if left out. */
  readonly context: () => ContextDefinition | undefined;
}

/**
 * A nested team with one public answer (AutoGen's SocietyOfMindAgent): it discusses a request, a model summarizes the
 * discussion as the answer, and the discussion is discarded. What was said up to its last answer is shown to the models of
 * the team, and is not part of the team's own thread.
 */
export class SocietyOfMind implements Participant {
  readonly name: string;
  readonly #outer: string;
  readonly #team: NestedTeam;
  readonly #context: () => ContextDefinition | undefined;
  readonly #summarizer: Assistant;

  constructor({ definition, outer, team, model, context }: SocietyOfMindOptions) {
    this.name = definition.name;
    this.#outer = outer;
    this.#team = team;
    this.#context = context;
    this.#summarizer = new Assistant({
      name: definition.name,
      instructions: definition.instructions ?? DEFAULT_INSTRUCTIONS,
      model,
      tools: [],
    });
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    if (turn.answersWithin) return answerWithin(this.name, this.#team, { ...turn, earlier: this.#earlier(turn) });
    // After an interrupt, the summary may be all that is left to do.
    if (!hasEnded(this.name, this.#team, turn)) {
      const run = await runNested(this.name, this.#outer, this.#team, { ...turn, earlier: this.#earlier(turn) });
      if (run.kind !== "done") return run;
    }
    return this.#summarizer.takeTurn({ ...turn, items: this.#summaryItems(turn) });
  }

  /** Discards the discussion once the answer is in the thread. Until then an interrupted answer still needs it. */
  onConcluded(): void {
    this.#team.reset();
  }

  /** The talk up to the last answer: the team was emptied then, and has got all messages since. */
  #earlier({ earlier, thread }: Turn): readonly ContextItem[] {
    const end = thread.findLastIndex(({ source, partial }) => source === this.name && !partial) + 1;
    const items = thread.slice(0, end).map((message) => othersItem(messageForNested(message, this.#outer, this.#team)));
    return [...earlier, ...contextItems(groupItems(items), this.#context())];
  }

  #summaryItems({ thread }: Turn): ContextItem[] {
    const said = this.#team.messages.map(
      (message): ContextItem => ({ role: "user", source: message.source, content: textOf(message) }),
    );
    // An answer that an interrupt cut short is continued.
    const half = cutText(thread, this.name);
    const partialAnswer: ContextItem = { role: "assistant", content: half, calls: [], partial: true };
    return [
      ...said,
      { role: "user", source: "user", content: SUMMARY_REQUEST },
      ...(half === "" ? [] : [partialAnswer]),
    ];
  }
}
