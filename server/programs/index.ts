/** The programs of agents and of servers, as processes. */
export { findProgram } from "./find-program.ts";
export { ProgramProcess, plainLine } from "./program-process.ts";
export type { Program } from "./start-program.ts";
