import { type DurableEvent, isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import { firstLine, textOf } from "../../shared/contract/message-text.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { finishText, mentionedText } from "../../shared/text/finish-text.ts";
import { questionTitle, userQuestionOf } from "../../shared/text/user-question.ts";

/** Something that a user who looks elsewhere wants to hear of. */
export interface Notable {
  /** The same for the same cause. */
  readonly key: string;
  readonly text: string;
}

/** What the new events of a team bring: its run ended or failed, or it waits for the user. */
export function notableEvents(
  state: TeamState,
  events: readonly TeamEvent[],
  tail: readonly DurableEvent[],
): Notable[] {
  const notable = events.filter(isDurable).flatMap((event) => notableOf(event, tail));
  const question = userQuestionOf(state);
  if (question !== null) {
    const said = firstLine(question.text);
    notable.push({ key: question.key, text: `${questionTitle(question)}${said === "" ? "." : `: ${said}`}` });
  }
  return notable;
}

function notableOf(event: DurableEvent, tail: readonly DurableEvent[]): readonly Notable[] {
  const key = `${event.type} ${event.seq}`;
  if (event.type === "error") return [{ key, text: event.message }];
  if (event.type === "tool/interrupted") {
    const { participant, name, review } = event;
    return [{ key, text: review ? reviewText(participant, name) : `${participant} wants to use ${name}.` }];
  }
  const text = endText(event, tail);
  return text === undefined ? [] : [{ key, text }];
}

/** What waits for the user with a result, as a sentence. */
export const reviewText = (participant: string, tool: string): string =>
  `The result of ${tool} for ${participant} waits for your review.`;

/** Why the team's run ended by itself, as a sentence; undefined for any other event. */
export function endText(event: TeamEvent, tail: readonly DurableEvent[]): string | undefined {
  if (event.type !== "run/ended" || event.path !== undefined || event.status.code !== "success") return undefined;
  const text = mentionedText(event.stopReason);
  const said = tail.findLast((each) => each.type === "message/added" && textOf(each.message).includes(text));
  return `${finishText(event.stopReason, said?.type === "message/added" ? said.message.source : undefined)}.`;
}
