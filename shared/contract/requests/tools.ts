import * as z from "zod";
import { EXTENSION_TOOL_NAME } from "../../extension-tools.ts";
import { LIMITS } from "../../limits.ts";
import { sizeProblem } from "../../size-problem.ts";
import { ToolDeclaration } from "../definition.ts";
import { ToolPreview } from "../inspection.ts";
import { request } from "../message-type.ts";
import { TaskResult } from "../team.ts";
import { nothing, teamId } from "./params.ts";

/** Any JSON value within the limits on one. */
const value = z.unknown().superRefine((given, context) => {
  const message = sizeProblem(given, LIMITS.value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const metadata = z.record(z.string(), value).optional();

/** Gives the user's decisions on pending tool calls. All of them are applied, or none. */
export const TeamResolveTools = request(
  "team/resolveTools",
  z
    .strictObject({
      teamId,
      respond: z.array(z.strictObject({ ref: z.string(), output: value })).optional(),
      restart: z.array(z.strictObject({ ref: z.string(), input: value.optional(), metadata })).optional(),
      deny: z.array(z.strictObject({ ref: z.string(), reason: z.string().optional() })).optional(),
    })
    .refine((answers) => [answers.respond, answers.restart, answers.deny].some((list) => (list?.length ?? 0) > 0), {
      message: "give at least one answer in respond, restart or deny",
    }),
  z.object({ remaining: z.array(z.string()), result: TaskResult.optional() }),
);

/**
 * Tells what a pending call would do now, with its own input or with `input`. Changes nothing.
 */
export const TeamPreviewTool = request(
  "team/previewTool",
  z.strictObject({ teamId, ref: z.string(), input: z.unknown().optional() }),
  ToolPreview,
);

/** Offers tools that run in the client (see `tools/call`). */
export const ToolsRegister = request("tools/register", z.strictObject({ tools: z.array(ToolDeclaration) }), nothing);

/** A tool that an extension of the editor has registered. */
export const OfferedTool = z.strictObject({
  name: z.string().regex(EXTENSION_TOOL_NAME, "should be letters, digits, _ or -"),
  description: z.string().max(20_000),
  /** Left out for a tool without an input. One that cannot be used is refused with its tool alone. */
  inputSchema: z.unknown().optional(),
});
export type OfferedTool = z.infer<typeof OfferedTool>;

/**
 * Tells which tools the editor's extensions have registered: the list replaces the one before. Teams name them
 * `vscode/NAME`, and the client runs them (see `tools/call`).
 */
export const ToolsOffer = request("tools/offer", z.strictObject({ tools: z.array(OfferedTool).max(2000) }), nothing);
