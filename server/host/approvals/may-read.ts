import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { ApprovalOutcome, CallEffects, CallToApprove } from "../../engine/index.ts";

/** The rules about `readFile` also hold for files that models are shown without a call. */
const READER: ToolDeclaration = { name: "readFile", description: "", inputSchema: {} };

/**
 * Asks the user's rules whether a file may be shown to a model, by its path with links resolved. No one is asked: a rule
 * that would ask refuses. What it returns throws an Error with the reason.
 */
export const mayRead =
  (
    judge: (call: CallToApprove) => Promise<ApprovalOutcome>,
    reader: Pick<CallToApprove, "teamId" | "participant">,
    file?: string,
  ) =>
  async (path: string): Promise<void> => {
    const effects: CallEffects = { paths: [{ use: "read", path }], hosts: [] };
    const { decision, reason } = await judge({ ...reader, tool: READER, input: { path: file ?? path }, effects });
    if (decision !== "allow") throw new Error(reason);
  };
