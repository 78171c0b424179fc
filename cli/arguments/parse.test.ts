import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { modelIn } from "./model-option.ts";
import { originOf } from "./origin.ts";
import { type Command, parseCommand } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

/** What a command has beside the options that every command takes. */
function parsed(...args: readonly string[]) {
  const given: Partial<Record<string, unknown>> = { ...parseCommand(args) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isDefault(value)));
}

const isDefault = (value: unknown): boolean =>
  value === undefined || value === false || value === process.cwd() || (Array.isArray(value) && value.length === 0);

test("A run is of a team file with a task, or of a thread", () => {
  assert.deepEqual(parsed("run", "a.yaml", "Do it."), { name: "run", file: "a.yaml", task: "Do it." });
  assert.deepEqual(parsed("run", "a.yaml", "-"), { name: "run", file: "a.yaml", task: "-" });
  assert.deepEqual(parsed("run", "a.yaml", "--continue"), { name: "run", file: "a.yaml", thread: "last" });
  assert.deepEqual(parsed("run", "--thread", "t1"), { name: "run", thread: "t1" });
  assert.deepEqual(parsed("run", "--thread", "t1", "More."), { name: "run", thread: "t1", task: "More." });
  assert.deepEqual(parsed("run", "--thread=last", "More."), { name: "run", thread: "last", task: "More." });
});

test("What follows -- is no option, so that a task may begin with a dash", () => {
  assert.deepEqual(parsed("run", "a.yaml", "--", "--help"), { name: "run", file: "a.yaml", task: "--help" });
  assert.deepEqual(parsed("run", "--", "a.yaml", "--deny readFile"), {
    name: "run",
    file: "a.yaml",
    task: "--deny readFile",
  });
});

test("Options that may be repeated keep their order, and no option of one command is taken by another", () => {
  const { approve, deny } = parsed("run", "a", "b", "--approve", "x", "--deny", "y", "--approve=z");
  assert.deepEqual({ approve, deny }, { approve: ["x", "z"], deny: ["y"] });
  assert.throws(() => parseCommand(["list", "--approve", "x"]), UsageError);
  assert.throws(() => parseCommand(["show", "t", "--json"]), UsageError);
  assert.throws(() => parseCommand(["acp", "--json"]), UsageError);
});

const wrong: readonly (readonly string[])[] = [
  ["run"],
  ["run", "a.yaml"],
  ["run", "a.yaml", "two", "words"],
  ["run", "a.yaml", "task", "--continue", "--thread", "t"],
  ["run", "--thread", "t", "a", "b"],
  ["run", "a.yaml", "task", "--approve"],
  ["run", "a.yaml", "task", "--yes"],
  ["run", "a.yaml", "task", "--json=1"],
  ["acp", "a", "b"],
  ["list", "a"],
  ["show"],
  ["show", "a", "b"],
  ["export"],
  ["check"],
  ["constructor"],
  ["__proto__"],
  ["ru"],
  [""],
];

test("What is wrong is refused in one sentence, never guessed", () => {
  for (const args of wrong) {
    assert.throws(() => parseCommand(args), UsageError, JSON.stringify(args));
    assert.throws(() => parseCommand(args), /^[^\n]+$/);
  }
});

test("Help is given for any command, and without one", () => {
  const help = (...args: readonly string[]): Command => parseCommand(args);
  assert.deepEqual(help(), { name: "help", about: undefined });
  assert.deepEqual(help("help", "run"), { name: "help", about: "run" });
  assert.deepEqual(help("run", "--help"), { name: "help", about: "run" });
  assert.deepEqual(help("--version"), { name: "version" });
});

test("A model is a provider with a model, with the address of an endpoint that needs no key, or JSON", () => {
  assert.deepEqual(modelIn("openai:gpt-5"), { provider: "openai", model: "gpt-5", apiKey: { secret: "openai" } });
  const local = { provider: "openai", model: "llama3:8b", baseUrl: "http://localhost:11434/v1" };
  assert.deepEqual(modelIn("openai:llama3:8b@http://localhost:11434/v1"), local);
  assert.deepEqual(modelIn("practice"), { provider: "practice" });
  assert.equal(modelIn("fast"), undefined);
  for (const text of ["other:model", '{"provider":"openai","apiKey":"sk-1"}', "{", "openai:m@not a url"])
    assert.throws(() => modelIn(text), UsageError, text);
});

test("An allowed origin is that of a web address, without its path or its user", () => {
  assert.equal(originOf("https://api.example.com/v1"), "https://api.example.com");
  assert.equal(originOf("http://user:password@localhost:8080"), "http://localhost:8080");
  for (const text of ["api.example.com", "*", "https://", "file:///etc", "javascript:alert(1)", ""])
    assert.throws(() => originOf(text), UsageError, text);
});

test("serve starts a host, ends it or asks about it, and takes minutes only for the first", () => {
  const action = (...args: string[]) => {
    const command = parseCommand(["serve", ...args]);
    if (command.name !== "serve") return command.name;
    return [command.action, command.action === "start" ? command.idleMinutes : undefined];
  };
  assert.deepEqual(action(), ["start", undefined]);
  assert.deepEqual(action("--idle-minutes", "0.5"), ["start", 0.5]);
  assert.deepEqual(action("--stop"), ["stop", undefined]);
  assert.deepEqual(action("--status"), ["status", undefined]);
  for (const minutes of ["0", "-1", "x", "", "10001"])
    assert.throws(() => action(`--idle-minutes=${minutes}`), UsageError, minutes);
  for (const args of [["--stop", "--status"], ["--stop", "--idle-minutes", "1"], ["here"]])
    assert.throws(() => action(...args), UsageError);
});

test("users of other computers join with TLS alone, and each is added by an id", () => {
  const serve = (...args: string[]) => parseCommand(["serve", ...args]);
  const network = ["--listen", "[::1]:7420", "--certificate", "/c.pem", "--key", "/k.pem"];
  const started = serve(...network);
  assert.deepEqual("network" in started && started.network, {
    host: "::1",
    port: 7420,
    certificate: resolve("/c.pem"),
    key: resolve("/k.pem"),
  });
  const added = serve("--add-user", "ann", "--user-name", "Ann Roe");
  assert.deepEqual("id" in added && [added.id, added.userName], ["ann", "Ann Roe"]);
  for (const args of [network.slice(0, 2), network.slice(2), ["--user-name", "Ann"], [...network, "--add-user", "ann"]])
    assert.throws(() => serve(...args), UsageError, args.join(" "));
  for (const address of ["host", ":1", "host:", "host:x", "host:70000", "a:b:1", "http://host:1"])
    assert.throws(() => serve("--listen", address, ...network.slice(2)), UsageError, address);
});

test("of the host of another computer a thread is named, without rules and files of this one", () => {
  const run = (...args: string[]) => parseCommand(["run", "--host", "192.0.2.7:7420", ...args]);
  const command = run("--thread", "t", "--certificate", "/c.pem");
  assert.deepEqual("remote" in command && command.remote, { host: "192.0.2.7", port: 7420, certificate: "/c.pem" });
  for (const args of [
    ["a.team.yaml", "go"],
    ["--thread", "t", "--approve", "x"],
    ["--thread", "t", "--model", "m"],
  ])
    assert.throws(() => run(...args), UsageError, args.join(" "));
  assert.throws(() => parseCommand(["list", "--certificate", "/c.pem"]), UsageError);
});

test("serve can be watched, and says what is wrong with how", () => {
  const watched = parseCommand([
    ...["serve", "--metrics", "127.0.0.1:9464", "--log", "host.log", "--log-level", "debug", "--drain-seconds", "60"],
  ]);
  assert.partialDeepStrictEqual(watched, {
    metrics: { host: "127.0.0.1", port: 9464 },
    log: { path: resolve("host.log"), level: "debug" },
    drainSeconds: 60,
  });
  const inContainer = parseCommand(["serve", "--foreground", "--log", "-"]);
  assert.partialDeepStrictEqual(inContainer, { foreground: true, log: { path: "-" }, idleMinutes: undefined });
  const wrong = [
    ["--metrics", "9464"],
    ["--log", "a", "--log-level", "all"],
    ["--drain-seconds", "-1"],
    ["--drain-seconds", "soon"],
    ["--stop", "--log", "a"],
    ["--stop", "--foreground"],
    ["--log", "-"],
  ];
  for (const args of wrong) assert.throws(() => parseCommand(["serve", ...args]), UsageError, args.join(" "));
});

test("A worker needs a file, and may have a link and a name", () => {
  assert.deepEqual(parsed("worker", "--participants", "w.yaml", "--link", "nats://h", "--name", "gpu"), {
    name: "worker",
    participants: "w.yaml",
    link: "nats://h",
    workerName: "gpu",
  });
  assert.throws(() => parseCommand(["worker"]), UsageError);
  assert.throws(() => parseCommand(["worker", "w.yaml"]), UsageError);
});
