import type { ContextItem } from "../../model.ts";
import { fillTemplate } from "../conversation/fill-template.ts";
import type { ManagerQuestion } from "../manager.ts";
import { questionsText } from "./progress-ledger.ts";

/**
 * What the orchestrator knows about the task. `conversation` is what was said since the current plan, or everything before
 * the first plan.
 */
export interface TaskLedger {
  readonly task: string;
  readonly team: string;
  readonly facts: string;
  readonly plan: string;
  readonly conversation: string;
}

type Prompt = Pick<ManagerQuestion, "instructions" | "items">;

const ROLE =
  "You are the orchestrator of a team of agents that works on a user's request. You do not do the work yourself. You collect the " +
  "facts, make a plan, decide which team member acts next and with which instruction, and track progress.";

const question = (text: string): Prompt => {
  const items: ContextItem[] = [{ role: "user", source: "user", content: text }];
  return { instructions: ROLE, items };
};

const section = (title: string, text: string): string => `## ${title}\n\n${text}\n\n`;

const FACT_LISTS = `Respond with these four lists, each under its heading. Keep them short, leave a list empty if it has no items, and add \
nothing else:
1. GIVEN FACTS: facts stated in the request.
2. FACTS TO LOOK UP: facts to find, and where to find them.
3. FACTS TO DERIVE: facts to compute or infer.
4. EDUCATED GUESSES: facts that you recall or assume, marked as guesses.`;

/** Asks for the facts before the first plan. */
export const factsQuestion = ({ task, conversation }: TaskLedger): Prompt =>
  question(
    `${section("Conversation so far", conversation)}${section("User request", task)}Before making a plan, list what is known and what is missing. ${FACT_LISTS}`,
  );

/** Asks for the facts again after a plan that made no progress. */
export const updatedFactsQuestion = ({ task, facts, conversation }: TaskLedger): Prompt =>
  question(
    `${section("User request", task)}${section("Known facts", facts)}${section("Conversation since the last plan", conversation)}` +
      "The team is not making progress. Update the lists of facts with everything learned so far: move confirmed guesses to the " +
      `given facts, remove facts that turned out to be wrong, and add at least one new educated guess. ${FACT_LISTS}`,
  );

export const planQuestion = ({ task, team, facts }: TaskLedger): Prompt =>
  question(
    `${section("User request", task)}${section("Team members", team)}${section("Known facts", facts)}` +
      "Write a short plan as a bullet list: which team member does what, in which order. You do not have to involve every member. " +
      "Respond with the plan only.",
  );

export const revisedPlanQuestion = ({ task, team, facts, plan, conversation }: TaskLedger): Prompt =>
  question(
    `${section("User request", task)}${section("Team members", team)}${section("Known facts", facts)}${section("Previous plan", plan)}` +
      `${section("Conversation since that plan", conversation)}In one or two sentences, explain what went wrong and why. Then write a new plan ` +
      "as a short bullet list: which team member does what, in which order. Avoid the earlier problems, and do not repeat steps " +
      "that failed.",
  );

/** Asks for a plan for other participants than before. */
export const changedTeamQuestion = ({ task, team, facts, plan, conversation }: TaskLedger): Prompt =>
  question(
    `${section("User request", task)}${section("Team members", team)}${section("Known facts", facts)}${section("Previous plan", plan)}` +
      `${section("Conversation since that plan", conversation)}The user has changed who is in the team: those listed above are its ` +
      "members now. Write a new plan for them as a short bullet list: which team member does what, in which order. Keep what is " +
      "done, and respond with the plan only.",
  );

/** Asks for the progress ledger as JSON. */
export const progressQuestion = ({ task, team, facts, plan, conversation }: TaskLedger): Prompt =>
  question(
    `${section("User request", task)}${section("Team members", team)}${section("Known facts", facts)}${section("Plan", plan)}` +
      `${section("Conversation since the last plan", conversation)}Assess the progress on the request by answering these questions:\n` +
      `${questionsText()}\n\nRespond with one JSON object and nothing else. It has one key per question, each with a short ` +
      'reason and the answer: { "is_request_satisfied": { "reason": "…", "answer": false }, … }.',
  );

/** The feedback to a model whose progress ledger is invalid. */
export const invalidLedgerMessage = (problem: string): string =>
  `The progress ledger is invalid. ${problem} Respond with the complete JSON object and nothing else.`;

const FINAL_PROMPT =
  "The request is satisfied. Write the final answer to the user. Make it complete and in the format that the request asks for, and " +
  "do not describe how the team worked.";

/** Asks for the final answer. `prompt` is the team's `finalAnswerPrompt`, in which {task} is replaced. */
export const finalAnswerQuestion = ({ task, facts, conversation }: TaskLedger, prompt = FINAL_PROMPT): Prompt =>
  question(
    `${section("User request", task)}${section("Known facts", facts)}${section("Conversation since the last plan", conversation)}${fillTemplate(prompt, { task })}`,
  );

const OPENINGS = {
  first: "We are working on the following user request.",
  stalled: "We are not making progress. Here is a new plan for the request.",
  teamChanged: "There are other members in the team now. Here is a new plan for the request.",
};

/** The message that gives the team the task, the facts and the plan. */
export const ledgerText = ({ task, team, facts, plan }: TaskLedger, why: keyof typeof OPENINGS): string =>
  [
    OPENINGS[why],
    section("User request", task).trimEnd(),
    section("Team members", team).trimEnd(),
    section("Known facts", facts).trimEnd(),
    section(why === "first" ? "Plan" : "New plan", plan).trimEnd(),
  ].join("\n\n");
