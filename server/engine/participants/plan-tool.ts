import * as z from "zod";
import { type Plan, type PlanItem, PlanItems } from "../../../shared/contract/plan.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { PLAN_TOOL, progressText } from "../../../shared/plan-tool.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import type { Turn } from "./participant.ts";

const input = z.strictObject({
  items: PlanItems.describe("All steps in their order, done ones too. Each has a `text` and a `status`."),
});

const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input" });

const spec: ToolSpec = {
  name: PLAN_TOOL,
  description:
    "Writes your plan for a task of several steps, which the user sees and can edit; it replaces the plan before. Write it " +
    "when you begin, mark a step inProgress before you work on it and done as soon as it is, and keep it up to date. A task " +
    "of one or two steps needs no plan.",
  inputSchema,
};

/** Keeps a participant's plan in the team's state. */
export class PlanTool implements BuiltInTools {
  readonly specs = [spec];
  readonly #participant: string;
  /** The steps that the model knows of: those that it was shown or has written in a turn. */
  readonly #known = new WeakMap<Turn, readonly PlanItem[]>();

  constructor(participant: string) {
    this.#participant = participant;
  }

  owns(tool: string): boolean {
    return tool === PLAN_TOOL;
  }

  /** The plan as the model is shown it at the beginning of a turn; empty without one. */
  shownIn(turn: Turn): string {
    this.#known.set(turn, stepsOf(turn.plan));
    return planText(turn.plan);
  }

  /**
   * Of several calls in one answer, the last one counts. What the user has edited meanwhile is not overwritten: the model is
   * told of it first.
   */
  answer(calls: readonly RequestedCall[], turn: Turn): AnsweredCall[] {
    return calls.map(({ ref, name, input: given }) => {
      const parsed = safeParse(input, given);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const where = issue === undefined || issue.path.length === 0 ? "the input" : issue.path.join(".");
        return {
          ref,
          name,
          input: given,
          output: `The plan was not saved: ${where}: ${issue?.message}.`,
          isError: true,
        };
      }
      const { items } = parsed.data;
      const now = stepsOf(turn.plan);
      if (!jsonEquals(now, this.#known.get(turn) ?? now)) {
        this.#known.set(turn, now);
        return { ref, name, input: given, output: editedText(now), isError: true };
      }
      this.#known.set(turn, items);
      turn.emit({ type: "plan/updated", participant: this.#participant, items });
      return { ref, name, input: given, output: `Saved the plan: ${progressText(items)}.`, isError: false };
    });
  }
}

const MARKS = { pending: " ", inProgress: "~", done: "x" } as const;

const stepsOf = (plan: Plan | undefined): readonly PlanItem[] => plan?.items ?? [];

const editedText = (steps: readonly PlanItem[]): string =>
  `The plan was not saved: the user has edited it meanwhile. ${
    steps.length === 0 ? "It has no steps now." : `It is now:\n${stepLines(steps)}`
  }\nFollow it as it is now, and write it again with the user's changes.`;

const stepLines = (steps: readonly PlanItem[]): string =>
  steps.map(({ text, status }) => `- [${MARKS[status]}] ${text}`).join("\n");

function planText(plan: Plan | undefined): string {
  if (plan === undefined) return "";
  const edited =
    plan.editedBy === undefined ? "" : " The user has edited it since you wrote it: follow it as it is now.";
  return `Your plan (x is done, ~ in progress).${edited}\n${stepLines(plan.items)}`;
}
