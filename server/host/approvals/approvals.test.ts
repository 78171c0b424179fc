import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { NewApprovalRule } from "../../../shared/contract/approval.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import { Store } from "../store/store.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { Approvals } from "./approvals.ts";
import { UserRules } from "./user-rules.ts";

/** A host's rules over a storage folder and a user's folder, and the messages that the user was shown. */
function hostOver({ storage, user, root }: { storage?: string; user?: string; root?: string } = {}) {
  const store = new Store(storage);
  const shown: string[] = [];
  const approvals = new Approvals({
    records: store.approvals,
    userRules: new UserRules(user),
    workspace: { roots: () => (root === undefined ? [] : [root]) },
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
    notifyUser: (message) => shown.push(message),
  });
  return { approvals, shown, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

const newRule = (fields: Partial<NewApprovalRule> = {}): NewApprovalRule => ({
  decision: "allow",
  tool: "runCommand",
  scope: "workspace",
  ...fields,
});

const run = (command: string, teamId = "t") => ({
  tool: { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const },
  participant: "ann",
  input: { command },
  teamId,
});

const pending = (ref: string, participant: string, command: string) => ({
  ref,
  call: { ...run(command), participant },
});

describe("how long a rule applies", () => {
  it("once: for the first call that it decides", async () => {
    using host = hostOver();
    await host.approvals.add(newRule({ scope: "once", team: "t", command: "ls" }));
    const decisions: string[] = [];
    for (const command of ["pwd", "ls", "ls"]) decisions.push((await host.approvals.judge(run(command))).decision);
    assert.deepEqual(decisions, ["ask", "allow", "ask"]);
  });

  it("once: for one of several calls that are judged at the same time", async () => {
    using host = hostOver();
    await host.approvals.add(newRule({ scope: "once", team: "t", command: "ls" }));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => host.approvals.judge(run("ls"))));
    assert.deepEqual(outcomes.filter(({ decision }) => decision === "allow").length, 1);
  });

  it("for a run: until its team's run is over, and for no other team", async () => {
    using host = hostOver();
    await host.approvals.add(newRule({ scope: "run", team: "t" }));
    assert.equal((await host.approvals.judge(run("ls", "other"))).decision, "ask");
    host.approvals.runEnded("other");
    assert.equal((await host.approvals.judge(run("ls"))).decision, "allow");
    host.approvals.runEnded("t");
    assert.equal((await host.approvals.judge(run("ls"))).decision, "ask");
  });

  it("for the workspace: in every host over the same storage, after a restart too", async () => {
    using folder = new ScratchFolder();
    using other = hostOver({ storage: folder.path });
    {
      using host = hostOver({ storage: folder.path });
      await host.approvals.add(newRule({ command: "ls" }));
      await host.approvals.add(newRule({ scope: "run", team: "t", command: "pwd" }));
      assert.equal((await other.approvals.judge(run("ls"))).decision, "allow");
    }
    using next = hostOver({ storage: folder.path });
    assert.equal((await next.approvals.judge(run("ls"))).decision, "allow");
    assert.equal((await next.approvals.judge(run("pwd"))).decision, "ask");
  });

  it("always: in every workspace, with the changes of other hosts at once", async () => {
    using folder = new ScratchFolder();
    using one = hostOver({ user: folder.path });
    using two = hostOver({ user: folder.path });
    const allow = await one.approvals.add(newRule({ scope: "always", command: "ls" }));
    assert.equal((await two.approvals.judge(run("ls"))).decision, "allow");
    const deny = await two.approvals.add(newRule({ scope: "always", decision: "deny", command: "ls" }));
    assert.equal((await one.approvals.judge(run("ls"))).decision, "deny");
    assert.deepEqual(
      one.approvals.list().map(({ id }) => id),
      [allow.id, deny.id],
    );
    assert.equal(await one.approvals.remove(deny.id), true);
    assert.equal((await two.approvals.judge(run("ls"))).decision, "allow");
  });
});

describe("storing rules", () => {
  it("lists and removes rules of every scope; for a team, its own and the general ones", async () => {
    using folder = new ScratchFolder();
    using host = hostOver({ storage: join(folder.path, "w"), user: join(folder.path, "u") });
    for (const scope of ["once", "run"] as const) await host.approvals.add(newRule({ scope, team: "t" }));
    await host.approvals.add(newRule({ scope: "workspace", team: "other" }));
    await host.approvals.add(newRule({ scope: "always" }));
    const scopes = (teamId?: string) => host.approvals.list(teamId).map(({ scope }) => scope);
    assert.deepEqual(scopes(), ["once", "run", "workspace", "always"]);
    assert.deepEqual(scopes("t"), ["once", "run", "always"]);
    for (const { id } of host.approvals.list()) assert.equal(await host.approvals.remove(id), true);
    assert.deepEqual(scopes(), []);
    assert.equal(await host.approvals.remove("rule_gone"), false);
  });

  it("an invalid pattern is refused with its path", async () => {
    using host = hostOver();
    await assert.rejects(
      host.approvals.add(newRule({ command: "git status; rm x" })),
      (error) =>
        error instanceof GavelError &&
        error.data.code === "InvalidParams" &&
        /rule\.command: .* contains an unquoted ";"/.test(error.message),
    );
    assert.deepEqual(host.approvals.list(), []);
  });

  it("a rule for always is refused by a host without a folder of the user's", async () => {
    using host = hostOver();
    await assert.rejects(host.approvals.add(newRule({ scope: "always" })), /rule\.scope: .*globalStoragePath/);
  });

  it("the user's file is replaced as a whole, without leftovers", async () => {
    using folder = new ScratchFolder();
    using host = hostOver({ user: folder.path });
    const rule = await host.approvals.add(newRule({ scope: "always", command: "ls" }));
    assert.deepEqual(readdirSync(folder.path), ["approvals.json"]);
    assert.deepEqual(JSON.parse(readFileSync(join(folder.path, "approvals.json"), "utf8")), {
      version: 1,
      rules: [rule],
    });
  });
});

describe("rules that cannot be read", () => {
  const damaged: Readonly<Record<string, string>> = {
    "a damaged file": "{",
    "a rule that is none": '{"version":1,"rules":[{"id":"x","decision":"maybe","tool":"*","scope":"always"}]}',
    "a file of a newer version": '{"version":2,"rules":[]}',
  };
  for (const [what, text] of Object.entries(damaged)) {
    it(`${what}: every call asks, the user is notified once, and the file is not changed`, async () => {
      using folder = new ScratchFolder();
      const path = join(folder.path, "approvals.json");
      writeFileSync(path, text);
      using host = hostOver({ user: folder.path });
      await host.approvals.add(newRule());
      const read = { ...run("x"), tool: { name: "readFile", description: "", inputSchema: {} } };
      assert.equal((await host.approvals.judge(run("ls"))).decision, "ask");
      assert.equal((await host.approvals.judge(read)).decision, "ask");
      assert.equal(host.shown.length, 1);
      assert.match(host.shown[0] ?? "", /approvals\.json cannot be read, so Gavel asks before every tool call/);
      await assert.rejects(host.approvals.add(newRule({ scope: "always" })), /cannot be read/);
      assert.equal(readFileSync(path, "utf8"), text);
    });
  }

  it("a denied call stays denied, and a repaired file applies again", async () => {
    using folder = new ScratchFolder();
    const path = join(folder.path, "approvals.json");
    writeFileSync(path, "{");
    using host = hostOver({ user: folder.path });
    await host.approvals.add(newRule({ decision: "deny", command: "rm" }));
    await host.approvals.add(newRule({ command: "ls" }));
    assert.equal((await host.approvals.judge(run("rm x"))).decision, "deny");
    writeFileSync(path, '{"version":1,"rules":[]}');
    utimesSync(path, new Date(), new Date(Date.now() + 1000));
    assert.equal((await host.approvals.judge(run("ls"))).decision, "allow");
  });

  it("a damaged row of the store: every call asks", async () => {
    using folder = new ScratchFolder();
    {
      using host = hostOver({ storage: folder.path });
      await host.approvals.add(newRule());
    }
    const database = new DatabaseSync(join(folder.path, "gavel.db"));
    database.exec("UPDATE approvals SET json = '{}'");
    database.close();
    using host = hostOver({ storage: folder.path });
    assert.equal((await host.approvals.judge(run("ls"))).decision, "ask");
    assert.match(host.shown[0] ?? "", /gavel\.db is damaged/);
  });
});

describe("links of a repository", () => {
  it("a path is evaluated by its link targets, also when the file does not exist yet", async () => {
    using folder = new ScratchFolder();
    const root = join(folder.path, "repo");
    mkdirSync(join(root, "dist"), { recursive: true });
    mkdirSync(join(folder.path, "home"));
    symlinkSync(join(folder.path, "home"), join(root, "dist", "out"), "junction");
    symlinkSync(join(folder.path, "home", "keys"), join(root, "dist", "keys"));
    using host = hostOver({ root });
    await host.approvals.add(newRule({ command: "echo *" }));
    await host.approvals.add(newRule({ path: "dist/**" }));
    const decision = async (target: string) => (await host.approvals.judge(run(`echo x > ${target}`))).decision;
    assert.equal(await decision("dist/new/file"), "allow");
    assert.equal(await decision(`${root}/dist/a`), "allow");
    assert.equal(await decision("dist/out/keys"), "ask");
    assert.equal(await decision("dist/keys"), "ask");
    assert.equal(await decision("dist/out/../x"), "ask", "for a shell, .. is the folder above the link's target");
  });

  it("the workspace's own folder is recognized however it is written", async () => {
    using folder = new ScratchFolder();
    mkdirSync(join(folder.path, "sub"));
    using host = hostOver({ root: folder.path });
    await host.approvals.add(newRule({ command: "ls" }));
    const at = async (cwd: string) =>
      (await host.approvals.judge({ ...run("ls"), input: { command: "ls", cwd } })).decision;
    assert.deepEqual(await Promise.all([".", "", folder.path, "sub"].map(at)), ["allow", "allow", "allow", "ask"]);
  });
});

describe("pending calls when a rule is added", () => {
  it("are resolved if the rules now decide them, also when several participants made the same call", async () => {
    using host = hostOver();
    const calls = [
      pending("c1", "ann", "ls"),
      pending("c2", "bob", "ls"),
      pending("c3", "cat", "rm x"),
      pending("c4", "ann", "pwd"),
    ];
    assert.equal(await host.approvals.answers(calls), undefined);
    await host.approvals.add(newRule({ command: "ls" }));
    await host.approvals.add(newRule({ decision: "deny", command: "rm" }));
    const answers = await host.approvals.answers(calls);
    assert.deepEqual(
      answers?.restart?.map(({ ref }) => ref),
      ["c1", "c2"],
    );
    assert.deepEqual(answers?.deny, [
      { ref: "c3", reason: 'The rule "runCommand with the command rm, in this workspace" denies this call.' },
    ]);
    assert.match(JSON.stringify(answers?.restart?.[0]?.metadata), /allows this call/);
  });

  it("one rule for one call resolves one", async () => {
    using host = hostOver();
    await host.approvals.add(newRule({ scope: "once", team: "t" }));
    const answers = await host.approvals.answers([pending("c1", "ann", "ls"), pending("c2", "bob", "ls")]);
    assert.deepEqual(
      answers?.restart?.map(({ ref }) => ref),
      ["c1"],
    );
  });
});
