import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import type { Model } from "../../model.ts";
import type { Floor, Manager, Selection } from "../manager.ts";
import { chosenNow, isStillDue } from "../talk/chosen.ts";
import { clip } from "../talk/clip.ts";
import { rolesOf } from "../talk/roles.ts";
import { talkText } from "../talk/talk-text.ts";
import { judge } from "./judge.ts";
import { Note, type StepAt } from "./note.ts";
import {
  answerQuestion,
  factsQuestion,
  ledgerText,
  type Matter,
  newFactsQuestion,
  newPlanQuestion,
  planQuestion,
} from "./prompts.ts";
import { KEPT_TEXT, taskOf, withNews } from "./task.ts";

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
type Next = Note | { readonly selection: Selection } | undefined;

/** Keeps nothing between selections but the definition. */
class Orchestrator {
  readonly #options: MagenticOptions;
  readonly #name: string;
  readonly #team: string;

  constructor(options: MagenticOptions) {
    this.#options = options;
    const { participants } = options.definition;
    this.#name = participants.some(({ name }) => name === "orchestrator") ? "orchestrator_" : "orchestrator";
    this.#team = rolesOf(options.definition);
  }

  async select(floor: Floor): Promise<Selection> {
    const kept = Note.safeParse(floor.state.note);
    let note = kept.success ? withNews(kept.data, floor, this.#name) : this.#begin(floor);
    for (;;) {
      const next = await this.#step(floor, note);
      if (next === undefined || floor.signal.aborted) return { speakers: [] };
      if ("selection" in next) return next.selection;
      note = next;
      floor.note(note);
    }
  }

  #begin(floor: Floor): Note {
    const task = taskOf(floor, this.#name);
    return { task, facts: "", plan: "", stalls: 0, since: 0, heard: floor.messages.length, step: { at: "facts" } };
  }

  #step(floor: Floor, note: Note): Next | Promise<Next> {
    const { step } = note;
    switch (step.at) {
      case "facts":
        return this.#findFacts(floor, note);
      case "plan":
        return this.#makePlan(floor, note);
      case "tell":
        return this.#tell(floor, note, step);
      case "progress":
        return this.#judge(floor, note, step);
      case "instruct":
        return this.#instruct(floor, note, step);
      case "turn":
        if (isStillDue(floor, step.chosen)) return { selection: { speakers: [step.chosen.speaker], note } };
        return this.#judge(floor, note, { at: "progress", misfits: [] });
      case "answer":
        return this.#answer(floor, note, step);
    }
  }

  async #findFacts(floor: Floor, note: Note): Promise<Next> {
    const ask = isFirst(note) ? factsQuestion : newFactsQuestion;
    const facts = await floor.ask({
      ...ask(this.#matter(floor, note)),
      model: this.#options.model(),
      purpose: "facts",
    });
    return facts === undefined ? undefined : { ...note, facts: clip(facts, KEPT_TEXT), step: { at: "plan" } };
  }

  async #makePlan(floor: Floor, note: Note): Promise<Next> {
    const ask = isFirst(note) ? planQuestion : newPlanQuestion;
    const plan = await floor.ask({ ...ask(this.#matter(floor, note)), model: this.#options.model(), purpose: "plan" });
    if (plan === undefined) return undefined;
    const step = { at: "tell" as const, thread: floor.messages.length, isFirst: isFirst(note) };
    return { ...note, plan: clip(plan, KEPT_TEXT), step };
  }

  #tell(floor: Floor, note: Note, { thread, isFirst: first }: StepAt<"tell">): Note {
    this.#sayOnce(floor, thread, ledgerText(this.#matter(floor, note), first));
    return { ...note, stalls: 0, since: floor.messages.length, step: { at: "progress", misfits: [] } };
  }

  #judge(floor: Floor, note: Note, step: StepAt<"progress">): Promise<Next> {
    const { definition, model } = this.#options;
    const names = definition.participants.map(({ name }) => name);
    const maxStalls = definition.magentic?.maxStalls ?? DEFAULT_STALLS;
    return judge(floor, note, step, { model: model(), matter: this.#matter(floor, note), names, maxStalls });
  }

  #instruct(floor: Floor, note: Note, { speaker, instruction, thread }: StepAt<"instruct">): Next {
    this.#sayOnce(floor, thread, instruction.startsWith(speaker) ? instruction : `${speaker}: ${instruction}`);
    const chosen = chosenNow(floor, speaker);
    return { selection: { speakers: [speaker], note: { ...note, step: { at: "turn", chosen } } } };
  }

  async #answer(floor: Floor, note: Note, { reason, thread }: StepAt<"answer">): Promise<Next> {
    const end = { selection: { end: reason } };
    if (floor.messages.slice(thread).some(({ source, partial }) => source === this.#name && !partial)) return end;
    const ask = answerQuestion(this.#matter(floor, note), this.#options.definition.magentic?.finalAnswerPrompt);
    return (await floor.speak(this.#name, { ...ask, model: this.#options.model(), purpose: "answer" }))
      ? end
      : undefined;
  }

  /** Says it, unless it was said before an interrupt. */
  #sayOnce(floor: Floor, thread: number, text: string): void {
    const isSaid = floor.messages
      .slice(thread)
      .some((message) => message.source === this.#name && textOf(message) === text);
    if (!isSaid) floor.say(this.#name, text);
  }

  #matter(floor: Floor, { task, facts, plan, since }: Note): Matter {
    return { task, team: this.#team, facts, plan, talk: talkText(floor.messages.slice(since)) };
  }
}

/** After how many rounds without progress a new plan is made, when the definition does not say (AutoGen's number). */
const DEFAULT_STALLS = 3;

/** True until there is a plan. */
const isFirst = ({ plan }: Note): boolean => plan === "";
