import type { ChatMessage } from "../../../shared/contract/message.ts";
import { continuedText, type NestedTurns } from "../context/continued-text.ts";
import type { Reply } from "../context/reply.ts";
import { answerWithin, hasEnded, runNested } from "./nested-run.ts";
import type { NestedTeam } from "./nested-team.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";

/**
 * A team as a participant of another team. In its turn it works on what was said since its last turn, on its own thread,
 * which it keeps. Its events carry its path; its last message is its answer in the outer team (`metadata.answer` is that
 * message's id).
 */
export class TeamParticipant implements Participant {
  readonly name: string;
  readonly #outer: string;
  readonly #team: NestedTeam;

  /** `outer` is the name of the team that it is in. */
  constructor(name: string, outer: string, team: NestedTeam) {
    this.name = name;
    this.#outer = outer;
    this.#team = team;
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    if (turn.answersWithin) return answerWithin(this.name, this.#team, turn);
    const answeredId = turn.thread.findLast(({ source }) => source === this.name)?.metadata?.["answer"];
    const said = lastInnerMessage(this.#team, turn);
    const isAnswered = said === undefined || said.id === answeredId;
    if (isAnswered || !hasEnded(this.name, this.#team, turn)) {
      const run = await runNested(this.name, this.#outer, this.#team, turn);
      if (run.kind !== "done") return run;
    }
    return { kind: "reply", reply: replyFrom(this.#team, lastInnerMessage(this.#team, turn), this.#turnsIn(turn)) };
  }

  /** How the messages within the team belong to its turns: its answers name their last message. */
  #turnsIn({ thread }: Turn): NestedTurns {
    const answers = new Set(
      thread.flatMap(({ source, metadata }) => (source === this.name ? [metadata?.["answer"]] : [])),
    );
    const members = new Set<unknown>(this.#team.state.participants.map(({ name }) => name));
    return {
      endsTurn: ({ id }) => answers.has(id),
      isToTeam: ({ metadata }) => metadata?.["to"] !== undefined && !members.has(metadata["to"]),
    };
  }
}

/** The last message within the nested team that did not come from the outer team. */
function lastInnerMessage(team: NestedTeam, { thread }: Turn): ChatMessage | undefined {
  return team.messages.findLast(({ id }) => thread.findLast((outer) => outer.id === id) === undefined);
}

/** The last message as the answer in the outer team. Its usage was counted in the nested team. */
function replyFrom({ messages }: NestedTeam, said: ChatMessage | undefined, turns: NestedTurns): Reply {
  if (said === undefined) return { type: "TextMessage", content: "" };
  const { id, type, content } = said;
  const metadata = { answer: id };
  if (type === "StructuredMessage" || type === "MultiModalMessage") return { type, content, metadata };
  return { type: "TextMessage", content: continuedText(messages, said, turns), metadata };
}
