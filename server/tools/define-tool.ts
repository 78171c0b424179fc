import * as z from "zod";
import type { Tool, ToolContext } from "../engine/tool.ts";
import { noFolder, type Workspace } from "./workspace/workspace.ts";

/** A tool as its own file writes it: one schema gives the type, the check and the JSON Schema that a model is shown. */
interface ToolParts<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly approval?: "ask";
  /** It changes nothing. */
  readonly readOnly?: true;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<string>;
  /** See {@link Tool.preview}. What it throws is the problem that is shown in its place. */
  readonly preview?: (input: z.output<Input>) => Promise<unknown>;
}

/** A tool that works in `workspace`. With no folder open its check and its run both say so, so that nobody is asked to approve what can not run. */
export function defineTool<Input extends z.ZodObject>(workspace: Workspace, parts: ToolParts<Input>): Tool {
  const { name, description, input, approval, readOnly, preview } = parts;
  const parse = (value: unknown) => input.safeParse(withoutNulls(value));
  const fitting = (value: unknown): z.output<Input> => {
    if (workspace.roots().length === 0) throw new Error(noFolder(name));
    const parsed = parse(value);
    if (!parsed.success) throw new Error(problemsOf(name, parsed.error));
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
    check(value) {
      if (workspace.roots().length === 0) return noFolder(name);
      const parsed = parse(value);
      return parsed.success ? undefined : problemsOf(name, parsed.error);
    },
    async run(value, context) {
      context.signal.throwIfAborted();
      return parts.run(fitting(value), context);
    },
    ...(preview === undefined ? {} : { preview: (value) => orProblem(async () => preview(fitting(value))) }),
  };
}

/** `work`, or a throw as soon as `signal` aborts: a file system that hangs must not hold an interrupt. */
export function untilAborted<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(new Error(`${name} was interrupted.`));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** What a preview shows, or why there is none. */
async function orProblem(work: () => Promise<unknown>): Promise<unknown> {
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

/** Many models write `null` for an option that they leave out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** All that is wrong, in one sentence. */
function problemsOf(name: string, error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  return `The input of ${name} does not fit: ${problems.join("; ")}.`;
}
