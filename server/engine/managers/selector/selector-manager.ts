import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { GavelError, invalidDefinition } from "../../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import type { Model } from "../../model.ts";
import { choiceOf, isUnfinished, SpeakerChoice } from "../conversation/speaker-choice.ts";
import type { Manager, SelectionContext } from "../manager.ts";
import { askForName } from "./ask-for-name.ts";
import { selectionPrompt } from "./selection-prompt.ts";
import { allowedByRules, toNames } from "./selector-rules.ts";

/** How often the model is asked for a name, by default. */
const DEFAULT_ATTEMPTS = 3;

export interface SelectorOptions {
  readonly definition: TeamDefinition;
  /** Returns the selector's model. @throws GavelError when the team has none. */
  readonly model: () => Model;
  /** Selects the next speaker; undefined or null leaves it to the rules and the model (AutoGen's `selector_func`). */
  readonly choose?: (
    messages: readonly ChatMessage[],
  ) => string | null | undefined | Promise<string | null | undefined>;
  /** Returns the candidates for the next speaker, instead of the rules (AutoGen's `candidate_func`). */
  readonly candidates?: (messages: readonly ChatMessage[]) => readonly string[] | Promise<readonly string[]>;
}

/**
 * A model selects the next speaker from the conversation (AutoGen's SelectorGroupChat), among the candidates of the rules or
 * of the library user's function. With one candidate, no model is asked. The choice is kept until the turn is finished.
 * @throws GavelError `InvalidDefinition` for a rule that selects an unknown participant; its `select` throws
 * `UnknownParticipant` for a function that does.
 */
export function selectorManager(options: SelectorOptions): Manager {
  checkRules(options.definition);
  return {
    async select(context) {
      const note = SpeakerChoice.safeParse(context.state.note);
      if (note.success && isUnfinished(context, note.data)) return { speakers: [note.data.speaker], note: note.data };
      const speaker = await nextSpeaker(context, options);
      return speaker === undefined ? { speakers: [] } : { speakers: [speaker], note: choiceOf(context, speaker) };
    },
  };
}

/** The next speaker; undefined when interrupted. */
async function nextSpeaker(context: SelectionContext, options: SelectorOptions): Promise<string | undefined> {
  const { definition, model, choose } = options;
  const names = namesOf(definition);
  const chosen = await choose?.(context.messages);
  if (context.signal.aborted) return undefined;
  if (chosen !== undefined && chosen !== null) return member(chosen, names, "The selector function returned");

  const allowed = await allowedSpeakers(context, options, names);
  if (context.signal.aborted) return undefined;
  const { allowRepeats = false, maxAttempts = DEFAULT_ATTEMPTS } = definition.selector ?? {};
  const previous = context.state.lastSpeaker ?? undefined;
  const refused = allowRepeats ? undefined : previous;
  const others = allowed.filter((name) => name !== refused);
  const candidates = others.length === 0 ? allowed : others;
  if (candidates.length === 1) return candidates[0];

  const prompt = selectionPrompt(definition, candidates, context.messages);
  const answer = await askForName(context, { model: model(), prompt, candidates, names, refused, maxAttempts });
  if (answer.kind === "interrupted") return undefined;
  if (answer.kind === "named") return answer.name;
  return previous !== undefined && allowed.includes(previous) ? previous : candidates[0];
}

/** The participants that may speak next, which may include the previous speaker. */
async function allowedSpeakers(
  context: SelectionContext,
  { definition, candidates }: SelectorOptions,
  names: readonly string[],
): Promise<readonly string[]> {
  if (candidates === undefined) return allowedByRules(definition.selector?.rules ?? [], context) ?? names;
  const given = new Set(await candidates(context.messages));
  if (given.size === 0)
    throw new Error(`The candidate function returned no candidates. Return at least one of ${names.join(", ")}.`);
  return [...given].map((name) => member(name, names, "The candidate function returned"));
}

function member(name: string, known: readonly string[], origin: string): string {
  if (known.includes(name)) return name;
  throw new GavelError(`${origin} "${name}", which is not a participant of the team. Use one of ${known.join(", ")}.`, {
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
