import * as z from "zod";
import { type Plan, PlanItems } from "../../../shared/contract/plan.ts";
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

  constructor(participant: string) {
    this.#participant = participant;
  }

  owns(tool: string): boolean {
    return tool === PLAN_TOOL;
  }

  /** Of several calls in one answer, the last one counts. */
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
      turn.emit({ type: "plan/updated", participant: this.#participant, items });
      return { ref, name, input: given, output: `Saved the plan: ${progressText(items)}.`, isError: false };
    });
  }
}

const MARKS = { pending: " ", inProgress: "~", done: "x" } as const;

/** A plan as its participant's model is shown it; empty without one. */
export function planText(plan: Plan | undefined): string {
  if (plan === undefined) return "";
  const steps = plan.items.map(({ text, status }) => `- [${MARKS[status]}] ${text}`).join("\n");
  const edited =
    plan.editedBy === undefined ? "" : " The user has edited it since you wrote it: follow it as it is now.";
  return `Your plan (x is done, ~ in progress).${edited}\n${steps}`;
}
