import { TeamScript } from "../team-script.ts";

/** Three participants speak at the same time; one of them has a running command. */
export function runningTeam(): TeamScript {
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is 2.4 ready?");
  script.durable({ type: "speaker/selected", participants: ["author", "reviewer", "tester"] });
  for (const from of ["author", "reviewer", "tester"]) {
    script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  }
  script.chunk(script.stream("author"), "The change log names every **breaking** change; the migration guide is");
  return script.running("tester", "w1", "runCommand", { command: "npm run release:check -- --dry-run" });
}
