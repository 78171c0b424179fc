import { root } from "./root.ts";
import { areaViolations } from "./structure/areas.ts";
import { fileCycles, folderCycles } from "./structure/cycles.ts";
import { directMessages } from "./structure/direct-messages.ts";
import { type FolderOrders, orderViolations } from "./structure/folder-order.ts";
import { importsIn } from "./structure/imports.ts";

/** From the lowest folder to the highest. docs/ARCHITECTURE.md says what each is for. */
const folderOrders: FolderOrders = {
  "server/engine": [
    "pattern",
    "json-schema",
    "autogen",
    "cancellation",
    "runtime",
    "conditions",
    "sensitive",
    "approvals",
    "context",
    "calls",
    "log",
    "participants",
    "managers",
    "run",
    "interrupts",
    "team",
    "watch",
  ],
  client: [
    "common",
    "dialogs",
    "files",
    "models",
    "errors",
    "host",
    "text",
    "team-files",
    "session",
    "open-teams",
    "start",
    "messages",
    "context",
    "tools",
    "approval",
    "changes",
    "report",
    "status",
    "chat",
    "commands",
    "webview",
  ],
  "client/webview": [
    "text",
    "state",
    "ui",
    "markdown",
    "timeline",
    "find",
    "calls",
    "rows",
    "question",
    "plan",
    "thread",
    "composer",
    "controls",
    "header",
    "welcome",
  ],
};

/** Tests and what only they use may import across the folders they test. */
const isTest = (file: string): boolean => /\.test\.tsx?$|\/testing\/|\/testing\.ts$/.test(file);

const files = importsIn(root, ["cli", "client", "scripts", "server", "shared"]).filter(({ file }) => !isTest(file));
const problems = [
  ...[...areaViolations(root), ...orderViolations(files, folderOrders), ...directMessages(root)].map(
    ({ file, line, imported, rule }) => `${file}:${line}${imported === "" ? "" : ` imports "${imported}"`}. ${rule}`,
  ),
  ...fileCycles(files).map((cycle) => `These files import each other in a circle: ${cycle.join(", ")}.`),
  ...folderCycles(files).map(
    ({ folder, children, imports }) =>
      `In ${folder === "" ? "the project" : folder}, ${children.join(", ")} import each other in a circle:\n  ${imports.join("\n  ")}`,
  ),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
