import type { SelectorRule } from "../../../../shared/contract/definition.ts";
import { continuedText } from "../../context/continued-text.ts";
import { isDirectedMessage, userMessageTest } from "../conversation/user-messages.ts";
import type { SelectionContext } from "../manager.ts";

/**
 * Whom the first rule that fits allows, or nothing where none fits. Partials and what the user said to one participant are
 * passed over, and who has spoken last is whoever finished a turn, so that an interrupt or a directed message leaves the order
 * of speakers as it was.
 */
export function allowedByRules(rules: readonly SelectorRule[], floor: SelectionContext): readonly string[] | undefined {
  const last = floor.messages.findLast((message) => !message.partial && !isDirectedMessage(message));
  const speaker =
    last === undefined || userMessageTest(floor)(last) ? last?.source : (floor.state.lastSpeaker ?? last.source);
  const rule = rules.find(
    ({ after, mentions }) =>
      (after === undefined || (speaker !== undefined && toNames(after).includes(speaker))) &&
      (mentions === undefined || (last !== undefined && continuedText(floor.messages, last).includes(mentions))),
  );
  return rule === undefined ? undefined : toNames(rule.choose);
}

/** One name or several, each once. */
export const toNames = (names: string | readonly string[]): readonly string[] =>
  typeof names === "string" ? [names] : [...new Set(names)];
