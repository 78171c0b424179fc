import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { terminalCommand } from "./terminal-command.ts";

const onWindows = process.platform === "win32";

test("A command without arguments is a line for the shell as it is", () => {
  assert.equal(terminalCommand({ command: "npm test && git status" }, false), "npm test && git status");
});

test("Arguments and variables arrive as they are, whatever is in them", { skip: onWindows }, () => {
  const args = ["plain", "two words", "a'b", '"$HOME`id`"', "", "; exit 3", "line\nbreak", "*"];
  const env = [
    { name: "A", value: "it's $HOME" },
    { name: "B", value: "" },
  ];
  const script = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.A, process.env.B]))";
  const line = terminalCommand({ command: process.execPath, args: ["-e", script, "--", ...args], env }, false);
  const output = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(output), [args, "it's $HOME", ""]);
});

test("What would not be one argument, or one variable, is refused", () => {
  assert.throws(() => terminalCommand({ command: "id", env: [{ name: "A=1; id #", value: "" }] }, false), /plain word/);
  for (const hostile of ['a"b', "%PATH%", "a!b", "a\r\nb", "a^b", "end\\"])
    assert.throws(() => terminalCommand({ command: "echo", args: [`x ${hostile}`] }, true), /cmd\.exe/, hostile);
  const line = terminalCommand({ command: "npm", args: ["test", "a & b"], env: [{ name: "CI", value: "1" }] }, true);
  assert.equal(line, 'set "CI=1"&& npm test "a & b"');
});
