import type { ContextItem } from "../../model.ts";
import type { Question } from "../manager.ts";
import { fill } from "../talk/template.ts";
import { questionsText } from "./progress-ledger.ts";

/** What the orchestrator's questions are about. `talk` is what was said since the current plan, or all of it before there is one. */
export interface Matter {
  readonly task: string;
  readonly team: string;
  readonly facts: string;
  readonly plan: string;
  readonly talk: string;
}

type Ask = Pick<Question, "instructions" | "items">;

const ROLE =
  "You lead a team of agents that works on a request of a user. You do none of the work yourself: you think about what is known, " +
  "plan, say who does what next, and judge how it goes.";

const question = (text: string): Ask => {
  const items: ContextItem[] = [{ role: "user", source: "user", content: text }];
  return { instructions: ROLE, items };
};

const part = (title: string, text: string): string => `## ${title}\n\n${text}\n\n`;

const FACT_LISTS = `Write four short lists, each under its heading, and nothing else; leave a list empty where there is nothing:
1. Given: what the request itself states.
2. To look up: what has to be found, and where it may be found.
3. To work out: what has to be derived, computed or concluded.
4. Guesses: what you remember or suppose, marked as such.`;

/** What is known before anyone has done anything. */
export const factsQuestion = ({ task, talk }: Matter): Ask =>
  question(
    `${part("The talk so far", talk)}${part("The request", task)}Do not plan yet. Think about what is known and what is not. ${FACT_LISTS}`,
  );

/** What is known by now, after a plan that led nowhere. */
export const newFactsQuestion = ({ task, facts, talk }: Matter): Ask =>
  question(
    `${part("The request", task)}${part("What was known", facts)}${part("What was said since", talk)}` +
      "The team is stuck. Write the lists of what is known anew, with all that was learnt: move a guess that was confirmed to " +
      `what is given, strike what was refuted, and add at least one new guess that may help. ${FACT_LISTS}`,
  );

export const planQuestion = ({ task, team, facts }: Matter): Ask =>
  question(
    `${part("The request", task)}${part("The team", team)}${part("What is known", facts)}` +
      "Write a short plan as a list: who of the team does what, in which order. Not everyone has to take part. Give the plan alone.",
  );

export const newPlanQuestion = ({ task, team, facts, plan, talk }: Matter): Ask =>
  question(
    `${part("The request", task)}${part("The team", team)}${part("What is known by now", facts)}${part("The last plan", plan)}` +
      `${part("What came of it", talk)}Say in a sentence or two what went wrong and why. Then write a new plan as a short list of ` +
      "who of the team does what: one that does not run into the same difficulty, and repeats no step that failed.",
  );

/** The judgement of a round, as JSON. */
export const progressQuestion = ({ task, team, facts, plan, talk }: Matter): Ask =>
  question(
    `${part("The request", task)}${part("The team", team)}${part("What is known", facts)}${part("The plan", plan)}` +
      `${part("What was said since", talk)}Judge where the team stands. Answer these questions, each with a short reason first:\n` +
      `${questionsText()}\n\nGive one JSON object and nothing else, with a key for each question: ` +
      '{ "is_request_satisfied": { "reason": "…", "answer": false }, … }.',
  );

/** What is said to a model whose ledger could not be read. */
export const misfitComplaint = (problem: string): string =>
  `That could not be read. ${problem} Give the whole JSON object again, and nothing else.`;

const FINAL_PROMPT =
  "The request is satisfied. Write the answer for the user: complete, in the form that the request asks for, and without a word on " +
  "how the team came to it.";

/** The last word to the user; `prompt` is the team's own `finalAnswerPrompt`, in which {task} may stand. */
export const answerQuestion = ({ task, facts, talk }: Matter, prompt = FINAL_PROMPT): Ask =>
  question(
    `${part("The request", task)}${part("What was known", facts)}${part("What was said since", talk)}${fill(prompt, { task })}`,
  );

/** The task ledger as the team is told it. */
export const ledgerText = ({ task, team, facts, plan }: Matter, isFirst: boolean): string =>
  [
    isFirst ? "We begin to work on this request." : "We got stuck, and go on with a new plan for the request.",
    part("The request", task).trimEnd(),
    part("The team", team).trimEnd(),
    part("What is known", facts).trimEnd(),
    part(isFirst ? "The plan" : "The new plan", plan).trimEnd(),
  ].join("\n\n");
