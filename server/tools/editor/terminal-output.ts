import * as z from "zod";
import { EditorTerminal } from "../../../shared/contract/editor-requests.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";

/** What the last command in a terminal of the user's printed. The user's terminal may show anything, so this asks. */
export function terminalOutputTool(workspace: Workspace, ask: AskEditor): Tool {
  const name = "terminalOutput";
  return defineTool(workspace, {
    name,
    description:
      "Returns the last command that the user ran in a terminal of the editor, with the end of its output and its exit code. " +
      "Use it when the user speaks of what a terminal shows. The user is asked to approve it. To run a command yourself, use " +
      "runCommand.",
    approval: "ask",
    readOnly: true,
    input: z.strictObject({}),
    effects: async () => ({ paths: [], hosts: [] }),
    run: (_, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const { output } = await askFor(name, ask, EditorTerminal, {}, context.signal);
        return output;
      }),
  });
}
