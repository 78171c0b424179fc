import type { CancellationToken, Disposable } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type * as z from "zod";
import {
  EditorPlaces,
  EditorProblems,
  EditorRename,
  EditorSymbols,
  EditorTerminal,
  EditorTestTasks,
} from "../../shared/contract/editor-requests.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import type { TerminalOutput } from "../context/terminal-output.ts";
import { places } from "./places.ts";
import { problems } from "./problems.ts";
import { RecentChanges } from "./recent-changes.ts";
import { rename } from "./rename.ts";
import { symbols } from "./symbols.ts";
import { testTasks } from "./test-tasks.ts";

/** The longest sentence about a failure, in characters: what a language extension throws can have any length. */
const MAX_FAILURE = 300;

/** Answers what the host asks the editor, until the result is disposed of. */
export function registerEditorRequests(client: LanguageClient, terminal: TerminalOutput): Disposable {
  const changes = new RecentChanges();
  answer(client, EditorProblems, (params, token) => problems(params, changes, token));
  answer(client, EditorSymbols, symbols);
  answer(client, EditorPlaces, places);
  answer(client, EditorRename, rename);
  answer(client, EditorTestTasks, testTasks);
  answer(client, EditorTerminal, async () => lastOutput(terminal));
  return changes;
}

function answer<P extends z.ZodType, R extends z.ZodType>(
  client: LanguageClient,
  { method, params: schema }: RequestMessage<P, R>,
  handle: (params: z.output<P>, token: CancellationToken) => Promise<z.input<R>>,
): void {
  client.onRequest(method, async (params: unknown, token: CancellationToken) => {
    try {
      return await handle(schema.parse(params), token);
    } catch (error) {
      return { failure: failureOf(error) };
    }
  });
}

const failureOf = (error: unknown): string =>
  `The editor could not answer: ${messageOf(error).replaceAll(/\s+/g, " ").slice(0, MAX_FAILURE)}`;

async function lastOutput(terminal: TerminalOutput) {
  const { last } = terminal;
  if (last === undefined)
    return { failure: "No command has run in a terminal of the editor; ask the user to run it, or use runCommand." };
  return { output: await terminal.read(last.id) };
}
