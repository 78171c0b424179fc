import { countText } from "./count-text.ts";

type Sentence = readonly [pattern: RegExp, text: (groups: readonly string[], speaker: string | undefined) => string];

const counted = (count: string | undefined, noun: string): string => countText(Number(count), noun);

/** The stop reasons of the host, whose texts are fixed by the protocol, and what users read instead. */
const sentences: readonly Sentence[] = [
  [/^Text '(.*?)' mentioned/su, ([text = ""], by) => (by === undefined ? `${text} was said` : `${by} said ${text}`)],
  [/^Maximum number of turns (\d+) reached\.?/u, ([max]) => `the limit of ${counted(max, "turn")} is reached`],
  [/^Maximum number of messages \d+ reached, current message count: (\d+)/u, ([count]) => counted(count, "message")],
  [/^Maximum number of messages (\d+) reached/u, ([max]) => counted(max, "message")],
  [/^Stop message received/u, (_, by) => (by === undefined ? "a stop message was sent" : `${by} sent a stop message`)],
  [
    /^Token usage limit reached, total: (\d+), prompt: \d+, completion: \d+/u,
    ([total]) => `the limit of tokens is reached, at ${counted(total, "token")}`,
  ],
  [/^Handoff to (.+?) from (.+?) detected\.?/u, ([target = "", from = ""]) => `handed to ${target} by ${from}`],
  [
    /^Timeout of (\d+(?:\.\d+)?) seconds reached/u,
    ([seconds]) => `the time limit of ${counted(seconds, "second")} is reached`,
  ],
  [/^External termination requested/u, () => "stopped as requested"],
  [/^'(.+?)' answered/u, ([who = ""]) => `${who} answered`],
  [/^Text message received from '(.+?)'/u, ([who = ""]) => `${who} sent a message`],
  [/^Function '(.+?)' was executed\.?/u, ([name = ""]) => `${name} was called`],
  [
    /^The budget of (.+?) is used up, at (\$?[\d.,]*\d(?: \p{L}+)?)/u,
    ([limit, at]) => `the budget of ${limit} is used up, at ${at}`,
  ],
  [/^No participant is left to speak\.?/u, () => "no participant is left to speak"],
  [/^USER_MESSAGE_COMPLETED/u, () => "your message was answered"],
  [/^The graph is complete\.?/u, () => "the graph is complete"],
];

/**
 * Why a run finished, as a sentence without its period: `Finished: reviewer said APPROVED`. Of several reasons, each is
 * named; a reason that the host does not define is shown as it is.
 * @param speaker who said the text that ended the run, see {@link mentionedText}; undefined when that is unknown.
 */
export function finishText(stopReason: string | null, speaker?: string): string {
  if (stopReason === null || stopReason === "") return "Finished";
  const known = knownReasons(stopReason, speaker);
  return `Finished: ${known?.join("; ") ?? stopReason.replace(/\.$/, "")}`;
}

/** The text that ended the run by being said; empty when the run ended for another reason. */
export function mentionedText(stopReason: string | null): string {
  return /(?:^|, )Text '(.*?)' mentioned/su.exec(stopReason ?? "")?.[1] ?? "";
}

/** Conditions that fire together join their reasons by a comma. Undefined where a part of them is none of the host's. */
function knownReasons(stopReason: string, speaker: string | undefined): readonly string[] | undefined {
  const reasons: string[] = [];
  let rest = stopReason;
  while (rest !== "") {
    const known = firstReason(rest, speaker);
    if (known === undefined || !/^(, |$)/.test(known.rest)) return undefined;
    reasons.push(known.text);
    rest = known.rest.slice(2);
  }
  return reasons;
}

function firstReason(stopReason: string, speaker: string | undefined) {
  for (const [pattern, text] of sentences) {
    const found = pattern.exec(stopReason);
    if (found === null) continue;
    const [whole, ...groups] = found;
    return { text: text(groups, speaker), rest: stopReason.slice(whole.length) };
  }
  return undefined;
}
