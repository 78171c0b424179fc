// Every message that the client sends to the host, by subject.

export * from "./requests/agents.ts";
export * from "./requests/approvals.ts";
export * from "./requests/commands.ts";
export * from "./requests/edits.ts";
export * from "./requests/files.ts";
export * from "./requests/host.ts";
export * from "./requests/initialization.ts";
export * from "./requests/mcp.ts";
export * from "./requests/messages.ts";
export * from "./requests/people.ts";
export * from "./requests/runs.ts";
export * from "./requests/search.ts";
export * from "./requests/state.ts";
export * from "./requests/teams.ts";
export * from "./requests/tools.ts";
