import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { Tool, ToolContext } from "../tool.ts";

/** A tool for tests that records its inputs and contexts. */
export interface TestTool extends Tool {
  readonly runs: { readonly input: unknown; readonly context: ToolContext }[];
}

/** A tool that calls `run`; by default it returns its name. */
export function testTool(
  name: string,
  run: (input: unknown, context: ToolContext) => unknown = () => name,
  more: Pick<ToolDeclaration, "approval" | "interrupt" | "onInterrupt" | "readOnly"> &
    Pick<Tool, "prepare" | "effects" | "preview"> = {},
): TestTool {
  const { prepare, effects, preview, ...declared } = more;
  const runs: TestTool["runs"] = [];
  return {
    runs,
    declaration: { name, description: name, inputSchema: { type: "object" }, ...declared },
    ...(prepare === undefined ? {} : { prepare }),
    ...(effects === undefined ? {} : { effects }),
    ...(preview === undefined ? {} : { preview }),
    async run(input, context) {
      runs.push({ input, context });
      return run(input, context);
    },
  };
}
