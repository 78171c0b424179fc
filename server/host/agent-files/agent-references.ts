// What is loaded when a team file first names other files.

export { agentReader } from "./agent-reader.ts";
export { findAgents } from "./find-agents.ts";
export { loadReferences } from "./load-references.ts";
export { resolveReferences } from "./resolve-references.ts";
