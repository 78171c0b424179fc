import * as z from "zod";
import { safeParse } from "../../shared/safe-parse.ts";
import type { OutputWithImages } from "../../shared/tool-output.ts";
import type { CallEffects, Tool, ToolContext } from "../engine/tool.ts";
import { noFolderMessage, type Workspace } from "./workspace/workspace.ts";

/** The definition of a tool. Its zod schema gives the type, the validation and the JSON Schema that models see. */
interface WorkspaceTool<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly approval?: "ask";
  /** The tool changes nothing. */
  readonly readOnly?: true;
  /** See {@link Tool.effects}. Paths are resolved as `run` resolves them. */
  readonly effects: (input: z.output<Input>) => Promise<CallEffects>;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<string | OutputWithImages>;
  /** See {@link Tool.preview}. An error is shown as the problem in place of the preview. */
  readonly preview?: (input: z.output<Input>) => Promise<unknown>;
}

/**
 * A tool that works in `workspace`, or in none. Without an open folder, `prepare` of one that needs it fails too, so that no
 * one is asked to approve a call that cannot run.
 */
export function defineTool<Input extends z.ZodObject>(
  workspace: Workspace | undefined,
  parts: WorkspaceTool<Input>,
): Tool {
  const { name, description, input, approval, readOnly, preview } = parts;
  const prepare = (value: unknown): z.output<Input> => {
    if (workspace?.roots().length === 0) throw new Error(noFolderMessage(name));
    const parsed = safeParse(input, withoutNulls(value));
    if (!parsed.success) throw new Error(inputError(name, parsed.error));
    return parsed.data;
  };
  return {
    declaration: {
      name,
      description,
      inputSchema: jsonSchemaOf(input),
      ...(approval === undefined ? {} : { approval }),
      ...(readOnly === undefined ? {} : { readOnly }),
    },
    prepare,
    effects: async (value) => parts.effects(prepare(value)),
    async run(value, context) {
      context.signal.throwIfAborted();
      return parts.run(prepare(value), context);
    },
    ...(preview === undefined ? {} : { preview: (value) => resultOrProblem(async () => preview(prepare(value))) }),
  };
}

/**
 * The result of `work`; rejects as soon as `signal` aborts, so that a file system that hangs does not delay an
 * interrupt.
 */
export function rejectOnAbort<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(new Error(`${name} was interrupted.`));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The preview, or the problem that prevents it. */
async function resultOrProblem(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function jsonSchemaOf(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

/** Many models write `null` for an omitted option. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Every problem of an input in one sentence. */
function inputError(name: string, error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  return `The input of ${name} is invalid: ${problems.join("; ")}.`;
}
