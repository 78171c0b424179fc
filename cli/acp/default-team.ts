import type { TeamDefinition } from "../../shared/contract/definition.ts";

/** The team of a client that names no team file: one assistant, with the model of `--model` or `GAVEL_MODEL`. */
export const defaultTeam = (): TeamDefinition => ({
  name: "Assistant",
  kind: "roundRobin",
  participants: [
    {
      name: "assistant",
      instructions: "You help the user with the project in the working folder. Read files before you speak about them.",
      tools: ["readFile", "listFiles", "searchText", "editFile", "writeFile", "runCommand"],
    },
  ],
  maxTurns: 1,
});
