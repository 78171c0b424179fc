import { Uri, workspace } from "vscode";
import { exists } from "./new-team-file.ts";

/** A team of one. Its only model is the user's default. */
const TEXT = `# A team of one, for every workspace. Edit this file to change what the assistant is told and may do, and add participants
# to make it a team. Each edit, command and web site asks you first, unless you allow it without asking.

name: Assistant
description: An assistant that reads and edits files and runs commands, each with your approval.
kind: roundRobin

participants:
  - name: assistant
    description: Works on your task
    instructions: |
      You are a software engineer who works in the user's folder. Look at the files that matter before you say anything about
      them. Make the smallest change that solves the task, and run the tests when there are any. The user approves each edit
      and command, and may reject one with a reason: then do what the reason says. Ask the user when the task can mean
      different things. At the end say in a few sentences what you did, and what you did not verify.
    tools: [listFiles, readFile, searchText, editFile, writeFile, runCommand, webFetch, askUser, todo]
    maxToolIterations: 50 # rounds of tool calls in one turn

termination:
  textMessage: { source: assistant } # after its answer it is your turn again
`;

/** The team file of the one agent among the user's own teams; it is made the first time. */
export async function oneAgentFile(teams: Uri): Promise<Uri> {
  const file = Uri.joinPath(teams, "assistant.team.yaml");
  if (!(await exists(file))) await workspace.fs.writeFile(file, new TextEncoder().encode(TEXT));
  return file;
}
