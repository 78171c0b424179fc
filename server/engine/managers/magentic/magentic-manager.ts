import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { Model } from "../../model.ts";
import { clipText } from "../conversation/clip-text.ts";
import { conversationText } from "../conversation/conversation-text.ts";
import { describeRoles } from "../conversation/describe-roles.ts";
import { choiceOf, isUnfinished } from "../conversation/speaker-choice.ts";
import type { Manager, Selection, SelectionContext } from "../manager.ts";
import { evaluateProgress } from "./evaluate-progress.ts";
import { Note, type StepOf } from "./magentic-note.ts";
import {
  changedTeamQuestion,
  factsQuestion,
  finalAnswerQuestion,
  ledgerText,
  planQuestion,
  revisedPlanQuestion,
  type TaskLedger,
  updatedFactsQuestion,
} from "./prompts.ts";
import { findTask, MAX_TEXT_LENGTH, withUserMessages } from "./task.ts";

export interface MagenticOptions {
  readonly definition: TeamDefinition;
  /** Returns the orchestrator's model. @throws GavelError when the team has none. */
  readonly model: () => Model;
}

/**
 * An orchestrator that plans and directs (Magentic-One, arXiv 2411.04468; AutoGen's MagenticOneGroupChat). It collects
 * facts, makes a plan, evaluates progress after each turn, instructs the next speaker, makes a new plan when the team
 * stalls, and answers the user when the request is satisfied. Every finished step is stored, so that no step is repeated
 * after an interrupt or a crash.
 */
export function magenticManager(options: MagenticOptions): Manager {
  const orchestrator = new Orchestrator(options);
  return { select: (context) => orchestrator.select(context) };
}

/** The result of a step: the next note, the selection, or undefined when it was interrupted. */
type StepResult = Note | { readonly selection: Selection } | undefined;

/** Has no state of its own: everything is in the note. */
class Orchestrator {
  readonly #options: MagenticOptions;
  readonly #name: string;
  readonly #team: string;

  constructor(options: MagenticOptions) {
    this.#options = options;
    const { participants } = options.definition;
    this.#name = participants.some(({ name }) => name === "orchestrator") ? "orchestrator_" : "orchestrator";
    this.#team = describeRoles(options.definition);
  }

  async select(context: SelectionContext): Promise<Selection> {
    const kept = Note.safeParse(context.state.note);
    let note = kept.success ? withUserMessages(kept.data, context, this.#name) : this.#start(context);
    for (;;) {
      const next = await this.#step(context, note);
      if (next === undefined || context.signal.aborted) return { speakers: [] };
      if ("selection" in next) return next.selection;
      note = next;
      context.saveNote(note);
    }
  }

  #start(context: SelectionContext): Note {
    const task = findTask(context, this.#name);
    return { task, facts: "", plan: "", stalls: 0, since: 0, heard: context.messages.length, step: { at: "facts" } };
  }

  #step(context: SelectionContext, note: Note): StepResult | Promise<StepResult> {
    const { step } = note;
    switch (step.at) {
      case "facts":
        return this.#findFacts(context, note);
      case "plan":
        return this.#makePlan(context, note);
      case "tell":
        return this.#announcePlan(context, note, step);
      case "progress":
        return this.#evaluate(context, note, step);
      case "instruct":
        return this.#instruct(context, note, step);
      case "turn":
        if (isUnfinished(context, step.chosen)) return { selection: { speakers: [step.chosen.speaker], note } };
        return this.#evaluate(context, note, { at: "progress", misfits: [] });
      case "answer":
        return this.#answer(context, note, step);
    }
  }

  async #findFacts(context: SelectionContext, note: Note): Promise<StepResult> {
    const ask = isFirst(note) ? factsQuestion : updatedFactsQuestion;
    const facts = await context.askModel({
      ...ask(this.#ledger(context, note)),
      model: this.#options.model(),
      purpose: "facts",
    });
    return facts === undefined ? undefined : { ...note, facts: clipText(facts, MAX_TEXT_LENGTH), step: { at: "plan" } };
  }

  async #makePlan(context: SelectionContext, note: Note): Promise<StepResult> {
    const ask = isFirst(note) ? planQuestion : note.teamChanged ? changedTeamQuestion : revisedPlanQuestion;
    const plan = await context.askModel({
      ...ask(this.#ledger(context, note)),
      model: this.#options.model(),
      purpose: "plan",
    });
    if (plan === undefined) return undefined;
    const step = { at: "tell" as const, thread: context.messages.length, isFirst: isFirst(note) };
    return { ...note, plan: clipText(plan, MAX_TEXT_LENGTH), step };
  }

  async #announcePlan(
    context: SelectionContext,
    { teamChanged, ...note }: Note,
    { thread, isFirst: first }: StepOf<"tell">,
  ): Promise<StepResult> {
    const why = first ? "first" : teamChanged ? "teamChanged" : "stalled";
    await this.#addOnce(context, thread, ledgerText(this.#ledger(context, note), why));
    return { ...note, stalls: 0, since: context.messages.length, step: { at: "progress", misfits: [] } };
  }

  #evaluate(context: SelectionContext, note: Note, step: StepOf<"progress">): Promise<StepResult> {
    const { definition, model } = this.#options;
    const names = definition.participants.map(({ name }) => name);
    const maxStalls = definition.magentic?.maxStalls ?? DEFAULT_MAX_STALLS;
    return evaluateProgress(context, note, step, {
      model: model(),
      ledger: this.#ledger(context, note),
      names,
      maxStalls,
    });
  }

  async #instruct(
    context: SelectionContext,
    note: Note,
    { speaker, instruction, thread }: StepOf<"instruct">,
  ): Promise<StepResult> {
    // The definition may have lost the speaker since.
    if (!context.state.participants.some(({ name }) => name === speaker))
      return { ...note, step: { at: "progress", misfits: [] } };
    await this.#addOnce(context, thread, instruction.startsWith(speaker) ? instruction : `${speaker}: ${instruction}`);
    const chosen = choiceOf(context, speaker);
    return { selection: { speakers: [speaker], note: { ...note, step: { at: "turn", chosen } } } };
  }

  async #answer(context: SelectionContext, note: Note, { reason, thread }: StepOf<"answer">): Promise<StepResult> {
    const end = { selection: { end: reason } };
    if (context.messages.slice(thread).some(({ source, partial }) => source === this.#name && !partial)) return end;
    const ask = finalAnswerQuestion(this.#ledger(context, note), this.#options.definition.magentic?.finalAnswerPrompt);
    return (await context.streamMessage(this.#name, { ...ask, model: this.#options.model(), purpose: "answer" }))
      ? end
      : undefined;
  }

  /**
   * Adds a message, unless this step already added one before an interrupt or a restart, perhaps in an earlier version's
   * words.
   */
  async #addOnce(context: SelectionContext, thread: number, text: string): Promise<void> {
    const isAdded = context.messages.slice(thread).some(({ source }) => source === this.#name);
    if (!isAdded) await context.addMessage(this.#name, text);
  }

  #ledger(context: SelectionContext, { task, facts, plan, since }: Note): TaskLedger {
    return { task, team: this.#team, facts, plan, conversation: conversationText(context.messages.slice(since)) };
  }
}

/** After how many stalls a new plan is made, by default (as in AutoGen). */
const DEFAULT_MAX_STALLS = 3;

/** True before the first plan. */
const isFirst = ({ plan }: Note): boolean => plan === "";
