import * as z from "zod";
import { EditorTestTasks } from "../../../shared/contract/editor-requests.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { pathEffects } from "../workspace/approved-places.ts";
import { locateAll, type Workspace } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";
import { EditorPlaces } from "./editor-places.ts";
import { report } from "./report.ts";

const MAX_ROWS = 100;

/** How the tests of the workspace are run, by the editor's tasks. It runs none: runCommand does, once that is approved. */
export function testTasksTool(workspace: Workspace, ask: AskEditor): Tool {
  const name = "testTasks";
  return defineTool(workspace, {
    name,
    description:
      "Lists the editor's tasks that run tests, as `name: command (in folder)`. To run one, give its command and its " +
      "folder to runCommand, which returns the output and the exit code.",
    readOnly: true,
    input: z.strictObject({}),
    effects: async () => pathEffects("search", await locateAll(workspace, undefined)),
    run: (_, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const { tasks, more = 0 } = await askFor(name, ask, EditorTestTasks, {}, context.signal);
        const places = new EditorPlaces(workspace, context);
        const rows: string[] = [];
        for (const { name: task, command = "[no command line]", folder } of tasks) {
          const place = await places.fileOf(folder);
          if (place !== undefined) rows.push(`${task.replaceAll(/\s+/g, " ")}: ${command} (in ${place.shown})`);
        }
        const none = "The editor has no tasks that run tests; find out from the project's files how they are run.";
        return report(rows, { none, max: MAX_ROWS, more, notes: places.notes(), what: "task" });
      }),
  });
}
