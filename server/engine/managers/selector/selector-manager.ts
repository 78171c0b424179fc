import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { GavelError, invalidDefinition } from "../../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import type { Model } from "../../model.ts";
import { choiceOf, isUnfinished, SpeakerChoice } from "../conversation/speaker-choice.ts";
import type { Manager, SelectionContext } from "../manager.ts";
import { askForName } from "./ask-for-name.ts";
import { selectionPrompt } from "./selection-prompt.ts";
import { allowedByRules, toNames } from "./selector-rules.ts";

/** How often the model is asked for a name, when the definition does not say. */
const DEFAULT_ATTEMPTS = 3;

export interface SelectorOptions {
  readonly definition: TeamDefinition;
  /** The selector's model, asked for when it is needed. @throws GavelError when there is none. */
  readonly model: () => Model;
  /** Chooses the next speaker; nothing leaves it to the rules and the model (AutoGen's `selector_func`). */
  readonly choose?: (
    messages: readonly ChatMessage[],
  ) => string | null | undefined | Promise<string | null | undefined>;
  /** Who may speak next, in the place of the rules (AutoGen's `candidate_func`). */
  readonly candidates?: (messages: readonly ChatMessage[]) => readonly string[] | Promise<readonly string[]>;
}

/**
 * A model chooses the next speaker from what has been said (AutoGen's SelectorGroupChat), among those whom the rules or the
 * library's user allow; where one is left, no model is asked. Its choice stands until the turn is finished.
 * @throws GavelError `InvalidDefinition` for a rule that chooses nobody of the team; when it selects, `UnknownParticipant` for a
 * function that does.
 */
export function selectorManager(options: SelectorOptions): Manager {
  checkRules(options.definition);
  return {
    async select(floor) {
      const note = SpeakerChoice.safeParse(floor.state.note);
      if (note.success && isUnfinished(floor, note.data)) return { speakers: [note.data.speaker], note: note.data };
      const speaker = await nextSpeaker(floor, options);
      return speaker === undefined ? { speakers: [] } : { speakers: [speaker], note: choiceOf(floor, speaker) };
    },
  };
}

/** Nobody when it was interrupted. */
async function nextSpeaker(floor: SelectionContext, options: SelectorOptions): Promise<string | undefined> {
  const { definition, model, choose } = options;
  const names = namesOf(definition);
  const chosen = await choose?.(floor.messages);
  if (floor.signal.aborted) return undefined;
  if (chosen !== undefined && chosen !== null) return member(chosen, names, "The selector function chose");

  const allowed = await allowedSpeakers(floor, options, names);
  if (floor.signal.aborted) return undefined;
  const { allowRepeats = false, maxAttempts = DEFAULT_ATTEMPTS } = definition.selector ?? {};
  const previous = floor.state.lastSpeaker ?? undefined;
  const refused = allowRepeats ? undefined : previous;
  const others = allowed.filter((name) => name !== refused);
  const candidates = others.length === 0 ? allowed : others;
  if (candidates.length === 1) return candidates[0];

  const prompt = selectionPrompt(definition, candidates, floor.messages);
  const answer = await askForName(floor, { model: model(), prompt, candidates, names, refused, maxAttempts });
  if (answer.kind === "interrupted") return undefined;
  if (answer.kind === "named") return answer.name;
  return previous !== undefined && allowed.includes(previous) ? previous : candidates[0];
}

/** Who may speak, the previous speaker among them. */
async function allowedSpeakers(
  floor: SelectionContext,
  { definition, candidates }: SelectorOptions,
  names: readonly string[],
): Promise<readonly string[]> {
  if (candidates === undefined) return allowedByRules(definition.selector?.rules ?? [], floor) ?? names;
  const given = new Set(await candidates(floor.messages));
  if (given.size === 0)
    throw new Error(`The candidate function gave nobody; it gives at least one of ${names.join(", ")}.`);
  return [...given].map((name) => member(name, names, "The candidate function gave"));
}

function member(name: string, known: readonly string[], whence: string): string {
  if (known.includes(name)) return name;
  throw new GavelError(`${whence} "${name}", who is not in the team; it has ${known.join(", ")}.`, {
    code: "UnknownParticipant",
    name,
    known,
  });
}

function checkRules(definition: TeamDefinition): void {
  const names = namesOf(definition);
  const problems = (definition.selector?.rules ?? []).flatMap(({ choose }, at) =>
    toNames(choose)
      .filter((name) => !names.includes(name))
      .map((name) => ({
        path: `selector.rules[${at}].choose`,
        message: `there is no participant "${name}"; the team has ${names.join(", ")}`,
      })),
  );
  if (problems.length > 0) throw invalidDefinition(`The team "${definition.name}"`, problems);
}

const namesOf = ({ participants }: TeamDefinition): string[] => participants.map(({ name }) => name);
