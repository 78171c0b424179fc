/** The programs of agents and of servers, as processes. */
export { ProgramProcess, plainLine } from "./program-process.ts";
export type { Program } from "./start-program.ts";
