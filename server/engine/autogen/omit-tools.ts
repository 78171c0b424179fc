import type { AutoGenComponent, ImportReport } from "./autogen-component.ts";

/** Reports an agent's tools as omitted: they are Python code, or use servers and services that Gavel does not support. */
export function omitTools(
  tools: readonly AutoGenComponent[],
  workbenches: readonly AutoGenComponent[],
  report: ImportReport,
): void {
  for (const tool of tools) omitTool(tool, report);
  for (const { className, config, path } of workbenches) {
    if (className === "StaticWorkbench" || className === "StaticStreamWorkbench") {
      for (const tool of config.components("tools")) omitTool(tool, report);
      config.omitUnused({ tool_overrides: "it belongs to tools that are left out" });
    } else {
      report.omit(path, `there is no counterpart for ${className}; ${ALTERNATIVE}`);
    }
  }
}

const ALTERNATIVE = "give the participant tools of Gavel, or tools that a client registers";

function omitTool({ className, config, path }: AutoGenComponent, report: ImportReport): void {
  const name = config.take("name");
  const called = typeof name === "string" ? `the tool ${name}` : `a tool of the kind ${className}`;
  report.omit(
    path,
    `${called} ${className === "FunctionTool" ? "is Python code" : "has no counterpart here"}; ${ALTERNATIVE}`,
  );
}
