import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { windowsProgram } from "./windows-program.ts";

const files = ["C:\\node\\npx.cmd", "C:\\node\\npx", "C:\\node\\node.exe", "D:\\my tools\\uvx.exe", ".\\npx.cmd"];
const place = {
  env: { Path: '.;;tools;C:\\node;"D:\\my tools"', PATHEXT: ".COM;.EXE;.CMD" },
  isFile: (path: string) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
};

test("a name is a file on the PATH with an extension, and never one of the current folder", () => {
  assert.equal(windowsProgram("npx", place), "C:\\node\\npx.CMD");
  assert.equal(windowsProgram("NODE.EXE", place), "C:\\node\\NODE.EXE");
  assert.equal(windowsProgram("uvx", place), "D:\\my tools\\uvx.EXE");
});

test("a path is left as it is", () => {
  for (const path of [".\\agent.cmd", "C:\\x\\agent.exe", "tools/agent"])
    assert.equal(windowsProgram(path, place), path);
});

test("a name that is nowhere is an error, also without a PATH", () => {
  assert.throws(() => windowsProgram("agent", place), /there is no program "agent" on the PATH/);
  assert.throws(() => windowsProgram("npx", { ...place, env: {} }), /there is no program "npx"/);
});

test("the arguments of a .cmd file reach cmd.exe escaped, so that none is a command", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "gavel-cmd-"));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "npx.cmd"), "@echo off\r\n", { mode: 0o755 });
  // The library decides when it is loaded whether it is on Windows.
  const script = `
    Object.defineProperty(process, "platform", { value: "win32" });
    const spawn = require("cross-spawn");
    const { command, args, options } = spawn._parse(${JSON.stringify(join(folder, "bin", "npx.cmd"))},
      ["-y", "a b", "x&calc", '"|%PATH%'], { env: {} });
    console.log(JSON.stringify({ command, args, verbatim: options.windowsVerbatimArguments }));`;
  const env = { ...process.env, comspec: "cmd.exe" };
  const parsed: unknown = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8", env }));
  assert.partialDeepStrictEqual(parsed, { command: "cmd.exe", verbatim: true });
  const line = (parsed as { readonly args: readonly string[] }).args.join(" ");
  assert.match(line, /^\/d \/s \/c "/);
  // Each character that cmd.exe would act on has a ^ before it.
  const inside = line.slice('/d /s /c "'.length, -1);
  assert.doesNotMatch(inside.replaceAll(/\^./gs, ""), /[&|<>()%!^"]/);
});
