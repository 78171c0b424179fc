import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { showSystemNotification } from "./system-program.ts";

const onUnix = { skip: process.platform === "win32" };

/** Puts a program of that name first on the path, which writes its arguments down, one a line. */
async function fakeProgram(context: TestContext, name: string, exitCode = 0): Promise<() => Promise<string[]>> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-notify-"));
  const before = process.env["PATH"];
  context.after(async () => {
    process.env["PATH"] = before;
    await rm(folder, { recursive: true });
  });
  const written = join(folder, "arguments");
  await writeFile(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" > '${written}'\nexit ${exitCode}\n`);
  await chmod(join(folder, name), 0o755);
  process.env["PATH"] = [folder, before].join(delimiter);
  return async () => (await readFile(written, "utf8")).trimEnd().split("\n");
}

test("a hostile text is one plain, short argument, and runs nothing", onUnix, async (context) => {
  const shown = await fakeProgram(context, "notify-send");
  const text = `$(touch /tmp/x) \`id\`; --icon=/etc/passwd <a href="file:///">\u001b[2J\n&amp; ${"long ".repeat(100)}`;
  assert.equal(await showSystemNotification({ title: "--help\n$HOME", text }, "linux"), true);
  const [name, end, title, body, ...others] = await shown();
  assert.deepEqual([name, end, title, others], ["--app-name=Gavel", "--", "--help $HOME", []]);
  assert.match(
    body ?? "",
    /^\$\(touch \/tmp\/x\) `id`; --icon=\/etc\/passwd &lt;a href="file:\/\/\/"&gt; \[2J &amp;amp; long /,
  );
  assert.match(body ?? "", /…$/);
  assert.ok((body ?? "").length < 230);
});

test("a system without the program, and one that fails, are no error", onUnix, async (context) => {
  await fakeProgram(context, "notify-send", 1);
  assert.equal(await showSystemNotification({ title: "a", text: "b" }, "linux"), false);
  assert.equal(await showSystemNotification({ title: "a", text: "b" }, "win32"), false);
  assert.equal(await showSystemNotification({ title: "a", text: "b" }, "aix"), false);
});
