import * as z from "zod";
import { request } from "./message-type.ts";

// What the host asks an editor that is its client, for the tools that use what the editor knows. Every answer may be a
// failure, which is a sentence for the model. A client that is no editor does not know these requests. All are cancelled
// with `$/cancelRequest`.

/** How much of each kind an answer may have; an editor leaves out the rest, and says how much it is. */
export const EDITOR_LIMITS = {
  problems: 1000,
  symbols: 1000,
  places: 2000,
  files: 500,
  edits: 5000,
  newText: 100_000,
  tasks: 200,
  text: 2000,
} as const;

const uri = z.string().max(10_000);
const text = z.string().max(EDITOR_LIMITS.text);
/** How many more there are than the answer has. */
const more = z.number().int().min(0).optional();

/** Why the editor has no answer: a sentence for the model. */
export const EditorFailure = z.object({ failure: text });
export type EditorFailure = z.infer<typeof EditorFailure>;

const count = z.number().int().min(0);

/** A position in a text as in LSP: a line and UTF-16 code units within it, both from 0. */
export const EditorPosition = z.object({ line: count, character: count });
export type EditorPosition = z.infer<typeof EditorPosition>;

/** A part of a text, without its end. */
export const EditorRange = z.object({ start: EditorPosition, end: EditorPosition });
export type EditorRange = z.infer<typeof EditorRange>;

/** A part of a file. */
export const EditorPlace = z.object({ uri, range: EditorRange });
export type EditorPlace = z.infer<typeof EditorPlace>;

/** A problem that the editor lists. */
export const EditorProblem = z.object({
  uri,
  range: EditorRange,
  severity: z.enum(["error", "warning", "info"]),
  message: text,
  source: text.optional(),
  code: text.optional(),
});
export type EditorProblem = z.infer<typeof EditorProblem>;

/** Something that has a name in a file, such as a function. */
export const EditorSymbol = z.object({
  name: text,
  /** Such as `function`. */
  kind: z.string().max(40),
  uri,
  range: EditorRange,
  /** The name of what it is in. */
  container: text.optional(),
  /** In the symbols of a file: how many others it is within. */
  depth: count.optional(),
});
export type EditorSymbol = z.infer<typeof EditorSymbol>;

/** Asks for the problems of one file, up to date with its text, or of all files for which the editor knows some. */
export const EditorProblems = request(
  "editor/problems",
  z.object({ uri: uri.optional() }),
  z.union([EditorFailure, z.object({ problems: z.array(EditorProblem).max(EDITOR_LIMITS.problems), more })]),
);

/** Asks for the symbols of one file, or for those of all files that fit a name: one of the two is given. */
export const EditorSymbols = request(
  "editor/symbols",
  z.object({ uri: uri.optional(), name: text.optional() }),
  z.union([EditorFailure, z.object({ symbols: z.array(EditorSymbol).max(EDITOR_LIMITS.symbols), more })]),
);

/** Asks where the symbol at a position is used, its definition included, or where it is defined. */
export const EditorPlaces = request(
  "editor/places",
  z.object({ uri, position: EditorPosition, of: z.enum(["references", "definition"]) }),
  z.union([EditorFailure, z.object({ places: z.array(EditorPlace).max(EDITOR_LIMITS.places), more })]),
);

/** The edits of one file. */
export const EditorFileEdits = z.object({
  uri,
  edits: z
    .array(z.object({ range: EditorRange, newText: z.string().max(EDITOR_LIMITS.newText) }))
    .max(EDITOR_LIMITS.edits),
});
export type EditorFileEdits = z.infer<typeof EditorFileEdits>;

/** Asks what a rename of the symbol at a position would change. The editor changes nothing. */
export const EditorRename = request(
  "editor/rename",
  z.object({ uri, position: EditorPosition, newName: z.string().max(1000) }),
  z.union([EditorFailure, z.object({ files: z.array(EditorFileEdits).max(EDITOR_LIMITS.files) })]),
);

/** Asks for the last command of the user's terminal, with what it has printed. */
export const EditorTerminal = request(
  "editor/terminal",
  z.object({}),
  z.union([EditorFailure, z.object({ output: z.string().max(200_000) })]),
);

/** A task that runs tests. */
export const EditorTestTask = z.object({
  name: text,
  /** Left out for a task that no command line runs. */
  command: z.string().max(20_000).optional(),
  /** The folder that it runs in. */
  folder: uri,
});
export type EditorTestTask = z.infer<typeof EditorTestTask>;

/** Asks for the tasks of the group `test`. The editor runs none. */
export const EditorTestTasks = request(
  "editor/testTasks",
  z.object({}),
  z.union([EditorFailure, z.object({ tasks: z.array(EditorTestTask).max(EDITOR_LIMITS.tasks), more })]),
);
