import type { ContextItem } from "../../model.ts";
import { fillTemplate } from "../conversation/fill-template.ts";
import type { ManagerQuestion } from "../manager.ts";
import { questionsText } from "./progress-ledger.ts";

/** What the orchestrator's questions are about. `talk` is what was said since the current plan, or all of it before there is one. */
export interface TaskLedger {
  readonly task: string;
  readonly team: string;
  readonly facts: string;
  readonly plan: string;
  readonly conversation: string;
}

type Prompt = Pick<ManagerQuestion, "instructions" | "items">;

const ROLE =
  "You lead a team of agents that works on a request of a user. You do none of the work yourself: you think about what is known, " +
  "plan, say who does what next, and judge how it goes.";

const question = (text: string): Prompt => {
  const items: ContextItem[] = [{ role: "user", source: "user", content: text }];
  return { instructions: ROLE, items };
};

const section = (title: string, text: string): string => `## ${title}\n\n${text}\n\n`;

const FACT_LISTS = `Write four short lists, each under its heading, and nothing else; leave a list empty where there is nothing:
1. Given: what the request itself states.
2. To look up: what has to be found, and where it may be found.
3. To work out: what has to be derived, computed or concluded.
4. Guesses: what you remember or suppose, marked as such.`;

/** What is known before anyone has done anything. */
export const factsQuestion = ({ task, conversation: talk }: TaskLedger): Prompt =>
  question(
    `${section("The talk so far", talk)}${section("The request", task)}Do not plan yet. Think about what is known and what is not. ${FACT_LISTS}`,
  );

/** What is known by now, after a plan that led nowhere. */
export const updatedFactsQuestion = ({ task, facts, conversation: talk }: TaskLedger): Prompt =>
  question(
    `${section("The request", task)}${section("What was known", facts)}${section("What was said since", talk)}` +
      "The team is stuck. Write the lists of what is known anew, with all that was learnt: move a guess that was confirmed to " +
      `what is given, strike what was refuted, and add at least one new guess that may help. ${FACT_LISTS}`,
  );

export const planQuestion = ({ task, team, facts }: TaskLedger): Prompt =>
  question(
    `${section("The request", task)}${section("The team", team)}${section("What is known", facts)}` +
      "Write a short plan as a list: who of the team does what, in which order. Not everyone has to take part. Give the plan alone.",
  );

export const revisedPlanQuestion = ({ task, team, facts, plan, conversation: talk }: TaskLedger): Prompt =>
  question(
    `${section("The request", task)}${section("The team", team)}${section("What is known by now", facts)}${section("The last plan", plan)}` +
      `${section("What came of it", talk)}Say in a sentence or two what went wrong and why. Then write a new plan as a short list of ` +
      "who of the team does what: one that does not run into the same difficulty, and repeats no step that failed.",
  );

/** The judgement of a round, as JSON. */
export const progressQuestion = ({ task, team, facts, plan, conversation: talk }: TaskLedger): Prompt =>
  question(
    `${section("The request", task)}${section("The team", team)}${section("What is known", facts)}${section("The plan", plan)}` +
      `${section("What was said since", talk)}Judge where the team stands. Answer these questions, each with a short reason first:\n` +
      `${questionsText()}\n\nGive one JSON object and nothing else, with a key for each question: ` +
      '{ "is_request_satisfied": { "reason": "…", "answer": false }, … }.',
  );

/** What is said to a model whose ledger could not be read. */
export const invalidLedgerMessage = (problem: string): string =>
  `That could not be read. ${problem} Give the whole JSON object again, and nothing else.`;

const FINAL_PROMPT =
  "The request is satisfied. Write the answer for the user: complete, in the form that the request asks for, and without a word on " +
  "how the team came to it.";

/** The last word to the user; `prompt` is the team's own `finalAnswerPrompt`, in which {task} may stand. */
export const finalAnswerQuestion = ({ task, facts, conversation: talk }: TaskLedger, prompt = FINAL_PROMPT): Prompt =>
  question(
    `${section("The request", task)}${section("What was known", facts)}${section("What was said since", talk)}${fillTemplate(prompt, { task })}`,
  );

/** The task ledger as the team is told it. */
export const ledgerText = ({ task, team, facts, plan }: TaskLedger, isFirst: boolean): string =>
  [
    isFirst ? "We begin to work on this request." : "We got stuck, and go on with a new plan for the request.",
    section("The request", task).trimEnd(),
    section("The team", team).trimEnd(),
    section("What is known", facts).trimEnd(),
    section(isFirst ? "The plan" : "The new plan", plan).trimEnd(),
  ].join("\n\n");
