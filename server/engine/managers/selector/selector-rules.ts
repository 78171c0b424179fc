import type { SelectorRule } from "../../../../shared/contract/definition.ts";
import { continuedText } from "../../context/continued-text.ts";
import { TextSearch } from "../../pattern/text-search.ts";
import { isDirectedMessage, userMessageTest } from "../conversation/user-messages.ts";
import type { SelectionContext } from "../manager.ts";

/**
 * The participants that the first matching rule allows; undefined when no rule matches. Partials and directed messages are
 * ignored, and the previous speaker is the participant that last finished a turn, so that an interrupt or a directed message
 * does not change the order of speakers.
 */
export function allowedByRules(
  rules: readonly SelectorRule[],
  context: SelectionContext,
): readonly string[] | undefined {
  const last = context.messages.findLast((message) => !message.partial && !isDirectedMessage(message));
  const speaker =
    last === undefined || userMessageTest(context)(last) ? last?.source : (context.state.lastSpeaker ?? last.source);
  const said = last === undefined ? undefined : continuedText(context.messages, last);
  const rule = rules.find(
    ({ after, mentions }) =>
      (after === undefined || (speaker !== undefined && toNames(after).includes(speaker))) &&
      (mentions === undefined || (said !== undefined && new TextSearch(mentions).isIn(said))),
  );
  return rule === undefined ? undefined : toNames(rule.choose);
}

/** One name or several as a list without duplicates. */
export const toNames = (names: string | readonly string[]): readonly string[] =>
  typeof names === "string" ? [names] : [...new Set(names)];
