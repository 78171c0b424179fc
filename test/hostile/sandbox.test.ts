import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { ToolInterrupt } from "../../server/engine/tool.ts";
import { runCommandTool } from "../../server/tools/command/run-command.ts";
import { guardOf, sandboxed } from "../../server/tools/sandbox/testing.ts";
import { runTool, testCall } from "../../server/tools/testing.ts";
import json from "./sandbox.json" with { type: "json" };

const attempts = z.record(z.string(), z.array(z.string())).parse(json);

const SECRET = "hunter2";
const FILES: Readonly<Record<string, string>> = {
  "a.txt": "pwned",
  ".env": SECRET,
  "app/.env": SECRET,
  "secrets/key": SECRET,
  ".vscode/tasks.json": "x",
  ".git/config": "[core]",
  ".git/hooks/post-checkout": "",
};

/** A workspace, and folders outside it, as they are before each attempt. */
class Scene implements Disposable {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "gavel-hostile-")));
  readonly root = join(this.#folder, "workspace");
  readonly storage = join(this.#folder, "storage");
  readonly outside = join(this.#folder, "outside");
  /** Where a program outside the sandbox listens, as an agent for keys does. */
  readonly socket = join(this.root, "agent.sock");
  readonly #agent = createServer((client) => client.end("reached\n"));

  constructor() {
    for (const folder of [this.root, this.storage, this.outside]) mkdirSync(folder);
    writeFileSync(join(this.storage, "gavel.db"), SECRET);
    for (const [path, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
    symlinkSync(".env", join(this.root, "link-to-env"));
    this.#agent.listen(this.socket);
  }

  /** The protected and secret files that are not as they were, and what is outside now. */
  changes(): readonly string[] {
    const changed = Object.entries(FILES).filter(([path, content]) => {
      try {
        return path !== "a.txt" && readFileSync(join(this.root, path), "utf8") !== content;
      } catch {
        return true;
      }
    });
    return [...changed.map(([path]) => path), ...readdirSync(this.outside)];
  }

  [Symbol.dispose](): void {
    this.#agent.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

for (const [what, commands] of Object.entries(attempts)) {
  test(`in the sandbox no command can ${what}`, sandboxed, async () => {
    const home = readdirSync(homedir()).join("\n");
    for (const command of commands) {
      using scene = new Scene();
      const call = testCall();
      const set = `OUTSIDE=${scene.outside} STORAGE=${scene.storage} SOCKET=${scene.socket} HOST_PID=${process.pid} HOST_PROCESS=/proc/${process.pid}`;
      const tool = runCommandTool({ roots: () => [scene.root] }, guardOf({}, [scene.storage], protectsGit));
      const run = runTool(tool, { command: `export ${set}\n${command}`, timeoutSeconds: 20 }, call.context);
      const result = await run.catch((error: unknown) => {
        if (error instanceof ToolInterrupt) return error.data;
        throw error;
      });
      const shown = `${call.shown()}\n${JSON.stringify(result)}`;
      const printed = shown.replaceAll(command, "").replaceAll(JSON.stringify(command).slice(1, -1), "");
      assert.doesNotMatch(printed, new RegExp(SECRET), command);
      assert.deepEqual(scene.changes(), [], command);
      assert.doesNotMatch(printed, /^reached$/m, command);
    }
    assert.equal(readdirSync(homedir()).join("\n"), home);
  });
}

const protectsGit = (path: string): boolean => /\/\.(?:git|vscode)$/.test(path);
