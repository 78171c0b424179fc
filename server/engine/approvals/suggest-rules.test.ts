import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalSubject } from "../../../shared/contract/approval.ts";
import { suggestRules } from "./suggest-rules.ts";

const offered = (name: string, input: unknown) =>
  suggestRules(
    { tool: { name, description: "", inputSchema: {}, approval: "ask" }, participant: "ann", teamId: "t", input },
    { shell: "posix" },
  );

const run = (command: string, more: object = {}) => offered("runCommand", { command, ...more });
const commandsOf = (choices: readonly (readonly ApprovalSubject[])[]) =>
  choices.slice(1, -1).map((choice) => choice.map(({ command, path }) => command ?? `path ${path}`));

test("a command: its input, its words, its subcommand, the tool", () => {
  assert.deepEqual(run("npm test -- --watch"), [
    [{ tool: "runCommand", input: { command: "npm test -- --watch" } }],
    [{ tool: "runCommand", command: "npm test -- --watch" }],
    [{ tool: "runCommand", command: "npm test *" }],
    [{ tool: "runCommand" }],
  ]);
});

test("each part of a compound command, without transparent wrappers", () => {
  assert.deepEqual(commandsOf(run("git status && time npm test 'a b' > dist/log")), [
    ["git status", "npm test 'a b'", "path dist/log"],
    ["git status *", "npm test *", "path dist/log"],
  ]);
});

test("the folder to run in is included", () => {
  assert.deepEqual(commandsOf(run("make", { cwd: "src" })), [["make", "path src"]]);
});

test("a command that no command rule can allow is offered only as this exact input or as the tool", () => {
  for (const command of ["eval x", "$X y", "for f in a; do x; done", "rm $X", "echo 'open"])
    assert.deepEqual(commandsOf(run(command)), [], command);
});

test("a command is not widened where the wider rule would not cover its own options", () => {
  for (const command of [
    "git log --output=x",
    "npm test --script-shell x",
    "npm exec x",
    "npm test $X",
    "git -c a=b log",
  ])
    assert.ok(
      !commandsOf(run(command))
        .flat()
        .includes(`${command.split(" ").slice(0, 2).join(" ")} *`),
      command,
    );
  assert.deepEqual(commandsOf(run("git log --output=x && npm test x")), [
    ["git log --output=x", "npm test x"],
    ["git log --output=x", "npm test *"],
  ]);
});

test("for a line of many commands, only its input and the tool are offered", () => {
  assert.equal(commandsOf(run("a;".repeat(30)))[0]?.length, 30);
  assert.deepEqual(commandsOf(run("a;".repeat(31))), []);
});

test("a program that runs its arguments is not widened", () => {
  assert.deepEqual(commandsOf(run("ssh host ls")), [["ssh host ls"]]);
  assert.deepEqual(commandsOf(run("sudo apt update")), [["sudo apt update"]]);
});

test("another tool: its input, its paths, the tool", () => {
  assert.deepEqual(
    offered("editFile", { path: "src/a.ts", text: "x" }).map((choice) =>
      choice.map(({ path, input }) => path ?? input),
    ),
    [[{ path: "src/a.ts", text: "x" }], ["src/a.ts"], [undefined]],
  );
  assert.equal(offered("deploy", { force: true }).length, 2);
});

test("a quoted star is a plain character", () => {
  assert.deepEqual(commandsOf(run("grep '*' \"it's\"")), [["grep '*' 'it'\\''s'"]]);
});

test("only a program with a plain subcommand, and without assignments, is widened", () => {
  assert.deepEqual(commandsOf(run("npm Run x")), [["npm Run x"], ["npm Run *"]]);
  for (const command of ["CI=1 npm test x", "npm -x test", "npm", "find src -exec a ';'"])
    for (const [offered] of commandsOf(run(command))) assert.doesNotMatch(offered ?? "", /\*/, command);
});

test("a path is offered for a field that is named as one, with the characters of a glob escaped", () => {
  for (const field of ["path", "filePath", "Files", "folder", "directory", "uri"]) {
    const [, [subject] = []] = offered("edit", { [field]: "a*?[]{}b" });
    assert.deepEqual(subject, { tool: "edit", path: "a\\*\\?\\[\\]\\{\\}b" }, field);
  }
  for (const input of [{ to: "a" }, null, "a"]) assert.equal(offered("edit", input).length, 2);
});

test("a command with further fields is offered only as this input or as the tool", () => {
  assert.deepEqual(
    run("npm test", { env: {}, path: "src" }).map((choice) => choice.map(({ command, path }) => command ?? path)),
    [[undefined], [undefined]],
  );
});

test("a tool of a server: its input, the tool, all tools of the server, each for this program alone", () => {
  const tool = { name: "files/read", description: "", inputSchema: {}, approval: "ask" as const };
  const provider = "npx files";
  const call = { tool, participant: "ann", teamId: "t", input: { n: 1 }, provider };
  assert.deepEqual(suggestRules(call, { shell: "posix" }), [
    [{ tool: "files/read", input: { n: 1 }, provider }],
    [{ tool: "files/read", provider }],
    [{ tool: "files/*", provider }],
  ]);
});
