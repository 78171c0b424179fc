import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { Tool, ToolContext } from "../tool.ts";

/** A tool of a test, and the inputs and contexts that it was run with. */
export interface TestTool extends Tool {
  readonly runs: { readonly input: unknown; readonly context: ToolContext }[];
}

/** A tool that does `run`; without it, it returns its name. */
export function testTool(
  name: string,
  run: (input: unknown, context: ToolContext) => unknown = () => name,
  more: Pick<ToolDeclaration, "approval" | "interrupt" | "onInterrupt" | "readOnly"> &
    Pick<Tool, "check" | "preview"> = {},
): TestTool {
  const { check, preview, ...declared } = more;
  const runs: TestTool["runs"] = [];
  return {
    runs,
    declaration: { name, description: name, inputSchema: { type: "object" }, ...declared },
    ...(check === undefined ? {} : { check }),
    ...(preview === undefined ? {} : { preview }),
    async run(input, context) {
      runs.push({ input, context });
      return run(input, context);
    },
  };
}
