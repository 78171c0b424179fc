import * as z from "zod";
import { ASK_USER, askingInterrupt } from "../../../shared/ask-user.ts";
import { type Tool, ToolInterrupt } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";

const MAX_CHOICES = 10;

const label = z.string().trim().min(1).max(200);

const input = z.strictObject({
  question: z.string().trim().min(1).max(4000).describe("The question, in one or two sentences."),
  choices: z
    .array(
      z.union([
        label.transform((text) => ({ label: text })),
        z.strictObject({
          label: label.describe("A short answer."),
          description: z.string().trim().max(500).optional().describe("What choosing it means."),
        }),
      ]),
    )
    .max(MAX_CHOICES)
    .refine((choices) => new Set(choices.map((choice) => choice.label)).size === choices.length, {
      message: "two choices have the same label",
    })
    .optional()
    .describe("Answers to choose from, best first. The user can also answer in their own words."),
  several: z.boolean().optional().describe("The user may choose several of the choices. Default: false."),
});

/** Asks the user a question. The call waits for the answer, which is its result. */
export function askUserTool(): Tool {
  return defineTool(undefined, {
    name: ASK_USER,
    description:
      "Asks the user a question and waits for the answer. Use it when a decision is the user's, or something is unclear that " +
      "you cannot find out yourself; do not ask for permission to use a tool, which is asked for anyway.",
    readOnly: true,
    input,
    effects: async () => ({ paths: [], hosts: [] }),
    run: async ({ question, choices = [], several = false }) => {
      throw new ToolInterrupt(askingInterrupt({ question, choices: choices.map(plainChoice), several }));
    },
  });
}

const plainChoice = (choice: { readonly label: string; readonly description?: string | undefined }) => ({
  label: choice.label,
  ...(choice.description === undefined || choice.description === "" ? {} : { description: choice.description }),
});
