import {
  ProcessExecution,
  ShellExecution,
  type Task,
  TaskGroup,
  tasks,
  Uri,
  type WorkspaceFolder,
  workspace,
} from "vscode";
import { EDITOR_LIMITS, type EditorTestTask, type EditorTestTasks } from "../../shared/contract/editor-requests.ts";
import type { ResultOf } from "../../shared/contract/message-type.ts";
import { firstOf, shortText } from "./protocol-places.ts";

/** The longest command line that is told, in characters. */
const MAX_COMMAND = 20_000;

/**
 * The tasks of the group `test`, with their command lines. VS Code does not tell other extensions what tests or tasks have
 * printed, so the host runs the commands itself.
 */
export async function testTasks(): Promise<ResultOf<typeof EditorTestTasks>> {
  const all = await tasks.fetchTasks();
  const ofTests = all.filter(({ group }) => group?.id === TaskGroup.Test.id).flatMap(testTask);
  const { first, ...rest } = firstOf(ofTests, EDITOR_LIMITS.tasks);
  return { tasks: first, ...rest };
}

function testTask(task: Task): EditorTestTask[] {
  const { name, source, execution, scope } = task;
  const folder = isFolder(scope) ? scope : workspace.workspaceFolders?.[0];
  if (folder === undefined) return [];
  const cwd =
    execution instanceof ShellExecution || execution instanceof ProcessExecution ? execution.options?.cwd : undefined;
  const path = cwd === undefined ? undefined : filled(cwd, folder);
  const line = commandLine(task);
  const command = line === undefined ? undefined : filled(line, folder);
  return [
    {
      name: shortText(source === "Workspace" || source === "" ? name : `${source}: ${name}`),
      folder: (path === undefined ? folder.uri : Uri.file(path)).toString(),
      ...(command === undefined || command.length > MAX_COMMAND ? {} : { command }),
    },
  ];
}

const isFolder = (scope: Task["scope"]): scope is WorkspaceFolder => typeof scope === "object" && "uri" in scope;

function commandLine({ execution }: Task): string | undefined {
  if (execution instanceof ProcessExecution) return [execution.process, ...execution.args].map(quoted).join(" ");
  if (!(execution instanceof ShellExecution)) return undefined;
  const { commandLine: line, command, args = [] } = execution;
  if (line !== undefined || command === undefined) return line;
  return [command, ...args].map((word) => (typeof word === "string" ? quoted(word) : quoted(word.value))).join(" ");
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./${}\\-]+$/.test(word)
    ? word
    : process.platform === "win32"
      ? `"${word.replaceAll('"', '\\"')}"`
      : `'${word.replaceAll("'", "'\\''")}'`;

/** With the variables that are known without running the task. */
const filled = (text: string, { uri, name }: WorkspaceFolder): string =>
  text.replaceAll(/\$\{workspace(?:Folder|Root)\}/g, uri.fsPath).replaceAll(/\$\{workspaceFolderBasename\}/g, name);
