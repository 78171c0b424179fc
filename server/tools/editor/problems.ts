import { pathToFileURL } from "node:url";
import * as z from "zod";
import { type EditorProblem, EditorProblems } from "../../../shared/contract/editor-requests.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { locateAll, locateAny, type Workspace } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";
import { EditorPlaces } from "./editor-places.ts";
import { report } from "./report.ts";

const MAX_ROWS = 200;
const WIDTH = 1000;

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("File whose problems are wanted, relative to the workspace folder. Default: all files."),
});

/** The errors and warnings that the editor shows. */
export function problemsTool(workspace: Workspace, ask: AskEditor): Tool {
  const name = "problems";
  return defineTool(workspace, {
    name,
    description:
      "Returns the errors and warnings that the editor shows, from compilers, linters and language servers, as " +
      `\`file:line:column: severity: message\`, the most severe first, at most ${MAX_ROWS}. With \`path\` those of one file, up ` +
      "to date with its content: check a file so after you have changed it. Without `path`, those of the files that the " +
      "editor has looked at so far, which may not be all.",
    readOnly: true,
    input,
    effects: async ({ path }) =>
      path === undefined
        ? pathEffects("search", await locateAll(workspace, undefined))
        : pathEffects("read", [await locateAny(workspace, path)]),
    run: ({ path }, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const file =
          path === undefined ? undefined : approvedPlace(await locateFile(workspace, path, context.signal), context);
        const wanted = file === undefined ? {} : { uri: pathToFileURL(file.path).href };
        const { problems, more = 0 } = await askFor(name, ask, EditorProblems, wanted, context.signal);
        const places = new EditorPlaces(workspace, context);
        const rows: { readonly text: string; readonly severity: EditorProblem["severity"] }[] = [];
        for (const problem of problems) {
          const place = await places.fileOf(problem.uri);
          if (place !== undefined) rows.push({ text: rowOf(place.shown, problem), severity: problem.severity });
        }
        const sorted = rows.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
        const none =
          file === undefined ? "The editor shows no problems." : `The editor shows no problems in "${file.shown}".`;
        return report(
          sorted.map(({ text }) => text),
          { none, max: MAX_ROWS, more, notes: places.notes(), what: "problem" },
        );
      }),
  });
}

const ORDER: readonly EditorProblem["severity"][] = ["error", "warning", "info"];

function rowOf(shown: string, { range, severity, message, source, code }: EditorProblem): string {
  const text = message.replaceAll(/\s*[\r\n]+\s*/g, " ").slice(0, WIDTH);
  const by = [source, code].filter((part) => part !== undefined).join(" ");
  const { line, character } = range.start;
  return `${shown}:${line + 1}:${character + 1}: ${severity}: ${text}${by === "" ? "" : ` (${by})`}`;
}
