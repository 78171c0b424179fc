import type { Component, Reading } from "./component.ts";

/** Leaves out an agent's tools: they are Python code, or servers and services that Gavel does not speak to. */
export function leaveOutTools(tools: readonly Component[], workbenches: readonly Component[], reading: Reading): void {
  for (const tool of tools) leaveOutTool(tool, reading);
  for (const { className, config, place } of workbenches) {
    if (className === "StaticWorkbench" || className === "StaticStreamWorkbench") {
      for (const tool of config.components("tools")) leaveOutTool(tool, reading);
      config.rest({ tool_overrides: "it belongs to tools that are left out" });
    } else {
      reading.leaveOut(place, `there is no counterpart for ${className}; ${MEND}`);
    }
  }
}

const MEND = "give the participant tools of Gavel, or of a client that registers them";

function leaveOutTool({ className, config, place }: Component, reading: Reading): void {
  const name = config.take("name");
  const called = typeof name === "string" ? `the tool ${name}` : `a tool of the kind ${className}`;
  reading.leaveOut(
    place,
    `${called} ${className === "FunctionTool" ? "is Python code" : "has no counterpart here"}; ${MEND}`,
  );
}
