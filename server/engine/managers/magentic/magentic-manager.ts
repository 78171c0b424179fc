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
  /** The orchestrator's model, asked for when it is needed. @throws GavelError when there is none. */
  readonly model: () => Model;
}

/**
 * An orchestrator that plans and leads (Magentic-One, arXiv 2411.04468; AutoGen's MagenticOneGroupChat): it gathers facts and makes a
 * plan, judges after each turn how it goes, tells the next speaker what to do, plans anew when the team stalls, and answers the
 * user when the request is satisfied. Each step is noted when it is done, so that an interrupt or a crash repeats none.
 */
export function magenticManager(options: MagenticOptions): Manager {
  const orchestrator = new Orchestrator(options);
  return { select: (floor) => orchestrator.select(floor) };
}

/** What a step comes to: where to go on, the end of the selection, or nothing when it was interrupted. */
type StepResult = Note | { readonly selection: Selection } | undefined;

/** Keeps nothing between selections but the definition. */
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

  async select(floor: SelectionContext): Promise<Selection> {
    const kept = Note.safeParse(floor.state.note);
    let note = kept.success ? withUserMessages(kept.data, floor, this.#name) : this.#start(floor);
    for (;;) {
      const next = await this.#step(floor, note);
      if (next === undefined || floor.signal.aborted) return { speakers: [] };
      if ("selection" in next) return next.selection;
      note = next;
      floor.saveNote(note);
    }
  }

  #start(floor: SelectionContext): Note {
    const task = findTask(floor, this.#name);
    return { task, facts: "", plan: "", stalls: 0, since: 0, heard: floor.messages.length, step: { at: "facts" } };
  }

  #step(floor: SelectionContext, note: Note): StepResult | Promise<StepResult> {
    const { step } = note;
    switch (step.at) {
      case "facts":
        return this.#findFacts(floor, note);
      case "plan":
        return this.#makePlan(floor, note);
      case "tell":
        return this.#announcePlan(floor, note, step);
      case "progress":
        return this.#evaluate(floor, note, step);
      case "instruct":
        return this.#instruct(floor, note, step);
      case "turn":
        if (isUnfinished(floor, step.chosen)) return { selection: { speakers: [step.chosen.speaker], note } };
        return this.#evaluate(floor, note, { at: "progress", misfits: [] });
      case "answer":
        return this.#answer(floor, note, step);
    }
  }

  async #findFacts(floor: SelectionContext, note: Note): Promise<StepResult> {
    const ask = isFirst(note) ? factsQuestion : updatedFactsQuestion;
    const facts = await floor.askModel({
      ...ask(this.#ledger(floor, note)),
      model: this.#options.model(),
      purpose: "facts",
    });
    return facts === undefined ? undefined : { ...note, facts: clipText(facts, MAX_TEXT_LENGTH), step: { at: "plan" } };
  }

  async #makePlan(floor: SelectionContext, note: Note): Promise<StepResult> {
    const ask = isFirst(note) ? planQuestion : revisedPlanQuestion;
    const plan = await floor.askModel({
      ...ask(this.#ledger(floor, note)),
      model: this.#options.model(),
      purpose: "plan",
    });
    if (plan === undefined) return undefined;
    const step = { at: "tell" as const, thread: floor.messages.length, isFirst: isFirst(note) };
    return { ...note, plan: clipText(plan, MAX_TEXT_LENGTH), step };
  }

  #announcePlan(floor: SelectionContext, note: Note, { thread, isFirst: first }: StepOf<"tell">): Note {
    this.#addOnce(floor, thread, ledgerText(this.#ledger(floor, note), first));
    return { ...note, stalls: 0, since: floor.messages.length, step: { at: "progress", misfits: [] } };
  }

  #evaluate(floor: SelectionContext, note: Note, step: StepOf<"progress">): Promise<StepResult> {
    const { definition, model } = this.#options;
    const names = definition.participants.map(({ name }) => name);
    const maxStalls = definition.magentic?.maxStalls ?? DEFAULT_MAX_STALLS;
    return evaluateProgress(floor, note, step, { model: model(), matter: this.#ledger(floor, note), names, maxStalls });
  }

  #instruct(floor: SelectionContext, note: Note, { speaker, instruction, thread }: StepOf<"instruct">): StepResult {
    this.#addOnce(floor, thread, instruction.startsWith(speaker) ? instruction : `${speaker}: ${instruction}`);
    const chosen = choiceOf(floor, speaker);
    return { selection: { speakers: [speaker], note: { ...note, step: { at: "turn", chosen } } } };
  }

  async #answer(floor: SelectionContext, note: Note, { reason, thread }: StepOf<"answer">): Promise<StepResult> {
    const end = { selection: { end: reason } };
    if (floor.messages.slice(thread).some(({ source, partial }) => source === this.#name && !partial)) return end;
    const ask = finalAnswerQuestion(this.#ledger(floor, note), this.#options.definition.magentic?.finalAnswerPrompt);
    return (await floor.streamMessage(this.#name, { ...ask, model: this.#options.model(), purpose: "answer" }))
      ? end
      : undefined;
  }

  /** Adds a message, unless the step added it before an interrupt or a restart, perhaps in the words of an earlier version. */
  #addOnce(floor: SelectionContext, thread: number, text: string): void {
    const isAdded = floor.messages.slice(thread).some(({ source }) => source === this.#name);
    if (!isAdded) floor.addMessage(this.#name, text);
  }

  #ledger(floor: SelectionContext, { task, facts, plan, since }: Note): TaskLedger {
    return { task, team: this.#team, facts, plan, conversation: conversationText(floor.messages.slice(since)) };
  }
}

/** After how many rounds without progress a new plan is made, when the definition does not say (AutoGen's number). */
const DEFAULT_MAX_STALLS = 3;

/** True until there is a plan. */
const isFirst = ({ plan }: Note): boolean => plan === "";
