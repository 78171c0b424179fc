import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, networkInterfaces } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ToolInterrupt } from "../../engine/tool.ts";
import type { CommandGuard } from "../command/command-guard.ts";
import { runCommandTool } from "../command/run-command.ts";
import { folderOf, runTool, testCall, waitUntil } from "../testing.ts";
import { guardOf, sandboxed } from "./testing.ts";

const node = JSON.stringify(process.execPath);

/** Runs a command in the sandbox. */
async function run(root: string, command: string, guard = guardOf(), call = testCall()): Promise<string> {
  return String(await runTool(runCommandTool({ roots: () => [root] }, guard), { command }, call.context));
}

/** The data of the question that a command asks because the sandbox made it fail. */
async function questionOf(root: string, command: string, guard?: CommandGuard): Promise<unknown> {
  const asked = await run(root, command, guard).then(
    (result) => assert.fail(`It did not ask: ${result}`),
    (error: unknown) => error,
  );
  if (!(asked instanceof ToolInterrupt)) throw asked;
  return asked.data;
}

/** An HTTP server on the loopback that answers every request with its path. */
async function serverOf(test: TestContext): Promise<number> {
  const server = createServer(({ url }, answer) => answer.end(`served ${url}\n`));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test(
  "a command in the sandbox reads and writes the workspace, and its exit code and output arrive",
  sandboxed,
  async (t) => {
    const root = folderOf(t, { "a.txt": "a\n" });
    assert.equal(await run(root, "cat a.txt; echo b > b.txt; echo err >&2; exit 3"), "a\nerr\nexit code 3");
    assert.equal(readFileSync(join(root, "b.txt"), "utf8"), "b\n");
  },
);

test("outside the workspace a command writes only to its own temporary folder", sandboxed, async (t) => {
  const root = folderOf(t);
  const home = homedir();
  const name = `gavel-test-${process.pid}`;
  const result = await run(
    root,
    `echo x > /tmp/${name}; cat "$TMPDIR/${name}"; echo y > ${home}/${name}; echo z > /usr/${name}; true`,
  );
  assert.match(result, /^x\n/);
  for (const folder of ["/tmp", home, "/usr"]) assert.equal(existsSync(join(folder, name)), false, folder);
});

test("a command cannot make a folder whose content Git or the editor would run", sandboxed, async (t) => {
  const root = folderOf(t, { "a.txt": "" });
  assert.match(await run(root, "ls -A; git status 2>&1 | head -1; true"), /^\.git\n\.vscode\na\.txt\nfatal: not a git/);
  assert.deepEqual(readdirSync(root), ["a.txt"]);
  await questionOf(root, "mkdir -p .vscode && echo '{}' > .vscode/tasks.json");
  await questionOf(root, "git init");
  await run(root, "rmdir .vscode; mv .vscode x; mkdir -p .git/hooks; ln -s /tmp .vscode; true");
  assert.deepEqual(readdirSync(root), ["a.txt"]);
});

test(
  "where .git or .vscode is a link, which a command could replace, the user is asked before it runs",
  sandboxed,
  async (t) => {
    for (const name of [".git", ".vscode"]) {
      const root = folderOf(t, { "data/config": "" });
      symlinkSync(name === ".git" ? "data" : "gone", join(root, name));
      const command = `rm ${name}; mkdir ${name}; echo run > ${name}/config; false`;
      const { reason, output } = (await questionOf(root, command)) as Record<string, string>;
      assert.equal(
        reason,
        `it could not be set up (${name} is a symbolic link, which the sandbox cannot protect; replace it with a folder)`,
      );
      assert.match(output ?? "", /^The command was not run\./);
      assert.equal(lstatSync(join(root, name)).isSymbolicLink(), true);
    }
  },
);

test("protected files can be read but not written, renamed or deleted", sandboxed, async (t) => {
  const root = folderOf(t, { ".vscode/tasks.json": "{}", "app/.vscode/settings.json": "{}" });
  const tries = [
    "echo bad > .vscode/tasks.json",
    "echo bad > .vscode/new.json",
    "rm -rf .vscode",
    "mv .vscode other",
    "echo bad > app/.vscode/settings.json",
    "ln -sf /etc/passwd .vscode/tasks.json",
  ];
  assert.match(await run(root, `cat .vscode/tasks.json; ${tries.join("; ")}; true`), /^\{\}/);
  assert.equal(readFileSync(join(root, ".vscode/tasks.json"), "utf8"), "{}");
  assert.equal(readFileSync(join(root, "app/.vscode/settings.json"), "utf8"), "{}");
  assert.equal(existsSync(join(root, ".vscode/new.json")), false);
});

test("hidden files cannot be read by any name, and keep their content", sandboxed, async (t) => {
  const storage = folderOf(t, { "gavel.db": "the store" });
  const root = folderOf(t, { ".env": "PASSWORD=hunter2", "app/.env": "PASSWORD=hunter2", "secrets/key": "hunter2" });
  symlinkSync(join(root, ".env"), join(root, "link"));
  const result = await run(
    root,
    `cat .env app/.env link secrets/key ${storage}/gavel.db; grep -r hunter2 .; cp .env copy; mv secrets moved; echo x > .env; ls ${storage}; true`,
    guardOf({}, [storage]),
  );
  assert.doesNotMatch(result, /hunter2|the store|gavel\.db\n/);
  assert.equal(readFileSync(join(root, ".env"), "utf8"), "PASSWORD=hunter2");
  assert.equal(readFileSync(join(root, "secrets/key"), "utf8"), "hunter2");
});

test("keys and logins in the home folder are not there at all", sandboxed, async (t) => {
  const home = folderOf(t, {
    ".ssh/id_ed25519": "hunter2",
    ".aws/credentials": "hunter2",
    ".config/gh/hosts.yml": "hunter2",
    ".config/Code/User/globalStorage/state.vscdb": "hunter2",
    ".Xauthority": "hunter2",
    ".config/other/settings": "kept",
    ".npmrc": "registry=http://localhost:1\n//localhost:1/:_authToken=hunter2\n",
    ".profile": "kept",
  });
  const root = folderOf(t);
  const script = `
    import { guardOf } from ${JSON.stringify(join(import.meta.dirname, "testing.ts"))};
    import { runCommandTool } from ${JSON.stringify(join(import.meta.dirname, "../command/run-command.ts"))};
    import { runTool } from ${JSON.stringify(join(import.meta.dirname, "../testing.ts"))};
    const context = { signal: new AbortController().signal, output: () => {}, metadata: {} };
    const command = "ls -A ~ ~/.config; cat ~/.npmrc ~/.profile ~/.config/other/settings; cat ~/.ssh/* ~/.aws/*; grep -rs hunter2 ~; true";
    console.log(await runTool(runCommandTool({ roots: () => [process.cwd()] }, guardOf()), { command }, context));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const shown = (await child.stdout.toArray()).join("");
  assert.doesNotMatch(shown, /hunter2|^\.ssh$|^\.aws$|^gh$|^\.Xauthority$/m);
  assert.match(shown, /registry=http:\/\/localhost:1\n/);
  assert.match(shown, /kept/);
});

test("a command sees no process but its own, and no service's socket", sandboxed, async (t) => {
  const root = folderOf(t);
  const result = await run(
    root,
    `cat /proc/${process.pid}/environ; ls -d /proc/[0-9]* | wc -l; ls /run; kill -0 ${process.pid} || echo unseen`,
  );
  const [count] = /^\d+$/m.exec(result) ?? [];
  assert.ok(Number(count) < 10, result);
  assert.match(result, /unseen/);
});

/** True while a process runs whose command line has that text. */
function isRunning(text: string): boolean {
  return readdirSync("/proc").some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

test("processes that leave the command's session end with it", sandboxed, async (t) => {
  const root = folderOf(t);
  const mark = `gavel-setsid-${process.pid}`;
  await run(
    root,
    `setsid sh -c 'touch ${mark}; exec tail -f ${mark}' >/dev/null 2>&1 & until [ -e ${mark} ]; do :; done`,
  );
  await waitUntil(() => !isRunning(mark));
});

test("an interrupt ends a sandboxed command at once, with its output and every process", sandboxed, async (t) => {
  const root = folderOf(t);
  const call = testCall();
  const mark = `gavel-deaf-${process.pid}`;
  const deaf = `${node} -e 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 100_000); console.log("started")' ${mark} & wait`;
  const result = run(root, deaf, guardOf(), call);
  await waitUntil(() => call.shown() === "started\n");
  assert.equal(isRunning(mark), true);
  call.abort.abort();
  await assert.rejects(result, /^Error: started\ninterrupted/);
  await waitUntil(() => !isRunning(mark));
});

test(
  "the loopback of this machine can be reached, with or without a proxy, and other hosts cannot",
  sandboxed,
  async (t) => {
    const root = folderOf(t);
    const port = await serverOf(t);
    const fetched = `${node} -e 'fetch("http://127.0.0.1:${port}/a").then((r) => r.text()).then(console.log)'`;
    assert.match(await run(root, fetched), /served \/a/);
    assert.match(await run(root, `curl -sS http://localhost:${port}/b`), /served \/b/);
    assert.match(
      await run(root, `curl -sS --noproxy '' --proxy "$HTTP_PROXY" http://127.0.0.1:${port}/c`),
      /served \/c/,
    );
    const question = await questionOf(root, "curl -sS --fail http://gavel.invalid/");
    assert.match(
      JSON.stringify(question),
      /it may not connect to gavel\.invalid, which the setting gavel\.sandbox\.allowedHosts/,
    );
    const direct = `${node} -e 'require("net").connect(80, "192.0.2.1").on("error", (e) => { console.log(e.code); process.exit(1); })'`;
    assert.match(JSON.stringify(await questionOf(root, direct)), /ENETUNREACH.*it may connect only to this machine/);
  },
);

test("a server that the command starts is reached on its own loopback", sandboxed, async (t) => {
  const root = folderOf(t);
  const script = `require("http").createServer((q, a) => a.end("own")).listen(0, "127.0.0.1", function () {
    fetch("http://127.0.0.1:" + this.address().port).then((r) => r.text()).then((text) => { console.log(text); process.exit(); }); })`;
  assert.match(await run(root, `${node} -e '${script}'`), /^own\n/);
});

test(
  "a failure caused by the sandbox is named, and only the user's answer runs the command outside",
  sandboxed,
  async (t) => {
    const root = folderOf(t, { ".vscode/tasks.json": "{}" });
    const command = "echo before; echo new > .vscode/tasks.json";
    const question = await questionOf(root, command);
    assert.deepEqual(Object.keys(question as object), ["kind", "question", "command", "reason", "output"]);
    assert.match(
      JSON.stringify(question),
      /"kind":"runOutsideSandbox".*it may write only to the workspace.*before\\n.*exit code 2/,
    );
    assert.equal(readFileSync(join(root, ".vscode/tasks.json"), "utf8"), "{}");
    const answered = testCall();
    const context = { ...answered.context, metadata: { outsideSandbox: true, resumed: true } };
    const tool = runCommandTool({ roots: () => [root] }, guardOf());
    assert.equal(await runTool(tool, { command }, context), "before\nexit code 0");
    assert.equal(readFileSync(join(root, ".vscode/tasks.json"), "utf8"), "new\n");
  },
);

test("a failure that has nothing to do with the sandbox asks nothing", sandboxed, async (t) => {
  const root = folderOf(t, { "a.txt": "" });
  assert.match(await run(root, "cat missing.txt"), /missing\.txt: No such file.*\nexit code 1$/);
  assert.match(await run(root, "chmod 000 a.txt; ./a.txt"), /ermission denied\nexit code 126$/);
});

test("a file that is hidden in the sandbox is named when a command misses it", sandboxed, async (t) => {
  const root = folderOf(t, { ".env": "A=1" });
  assert.match(JSON.stringify(await questionOf(root, "cat .env")), /it may not read .*\.env/);
});

test("with the setting off a command runs outside, and the preview says so", sandboxed, async (t) => {
  const root = folderOf(t, { ".vscode/tasks.json": "{}" });
  const off = guardOf({ sandbox: false });
  assert.equal(await run(root, "echo new > .vscode/tasks.json", off), "exit code 0");
  const input = { command: "ls" };
  const preview = (guard: CommandGuard) => runCommandTool({ roots: () => [root] }, guard).preview?.(input);
  assert.deepEqual(await preview(guardOf()), { sandbox: "on" });
  assert.deepEqual(await preview(off), { sandbox: "off", reason: "the setting gavel.sandbox.enabled turns it off" });
});

test("an install from a registry on the loopback and a test run work", sandboxed, async (t) => {
  const registry = await registryOf(t, "127.0.0.1");
  const root = projectOf(t, registry);
  assert.match(await run(root, "npm install && npm ci && npm test"), /pass 1[\s\S]*exit code 0$/);
  assert.equal(existsSync(join(root, "node_modules/leaf/index.js")), true);
  assert.equal(existsSync(join(root, "package-lock.json")), true);
});

test("an install from a host works once the user allows the host", sandboxed, async (t) => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.internal === false && one.family === "IPv4")?.address;
  if (address === undefined) return t.skip("needs a network address");
  const root = projectOf(t, await registryOf(t, address));
  const install = "npm install --fetch-retries=0 --loglevel=error";
  assert.match(JSON.stringify(await questionOf(root, install)), new RegExp(`it may not connect to ${address}`));
  assert.match(await run(root, install, guardOf({ allowedHosts: [address] })), /exit code 0$/);
  assert.equal(existsSync(join(root, "node_modules/leaf/index.js")), true);
});

/** A project with one dependency and one test. */
function projectOf(t: TestContext, registry: string): string {
  return folderOf(t, {
    "package.json": JSON.stringify({
      name: "app",
      version: "1.0.0",
      dependencies: { leaf: "1.0.0" },
      scripts: { test: "node --test" },
    }),
    "app.test.js": `const { test } = require("node:test"); test("passes", () => require("leaf"));`,
    ".npmrc": `registry=${registry}\naudit=false\nfund=false\nupdate-notifier=false\n`,
  });
}

/** A package registry with the one package `leaf`. */
async function registryOf(t: TestContext, host: string): Promise<string> {
  const folder = folderOf(t, {
    "package/package.json": JSON.stringify({ name: "leaf", version: "1.0.0" }),
    "package/index.js": "",
  });
  execFileSync("tar", ["-czf", "leaf.tgz", "package"], { cwd: folder, timeout: 120_000 });
  const tarball = readFileSync(join(folder, "leaf.tgz"));
  const server = createServer(({ url }, answer) => {
    if (url?.endsWith(".tgz")) return answer.end(tarball);
    const dist = { tarball: `${origin}/leaf.tgz` };
    const versions = { "1.0.0": { name: "leaf", version: "1.0.0", dist } };
    return answer.end(JSON.stringify({ name: "leaf", "dist-tags": { latest: "1.0.0" }, versions }));
  });
  server.listen(0, host);
  await once(server, "listening");
  t.after(() => server.close());
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return origin;
}
