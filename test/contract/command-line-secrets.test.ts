import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CommandLine } from "./harness/command-line.ts";

/** On which nothing listens, without a privilege. */
const NOWHERE = "127.0.0.1:1";

const WORKER = { name: "w", participants: [{ name: "ann" }], models: { own: { provider: "practice" } } };

describe("secrets in files", () => {
  it("are the address of the store for any command, without being shown", async () => {
    using gavel = new CommandLine();
    const path = join(gavel.home, "store");
    writeFileSync(path, `postgres://gavel:private@${NOWHERE}/db\n`);
    const { code, stderr } = await gavel.run(["list"], { variables: { GAVEL_STORE_FILE: path } });
    assert.equal(code, 1);
    assert.match(stderr, /127\.0\.0\.1:1\/db/);
    assert.doesNotMatch(stderr, /private/);
  });

  it("are the address of the link for a worker, which reads the file itself", async () => {
    using gavel = new CommandLine({ "w.json": WORKER });
    const path = join(gavel.home, "link");
    writeFileSync(path, `nats://gavel:private@${NOWHERE}\n`);
    const args = ["worker", "--participants", "w.json"];
    const { code, stderr } = await gavel.run(args, { variables: { GAVEL_LINK_FILE: path } });
    assert.equal(code, 1);
    assert.match(stderr, /^The link 127\.0\.0\.1:1 \(space "gavel"\) cannot be used: /);
    // An argument counts more than the environment.
    const given = await gavel.run([...args, "--link", "nats://other:1"], { variables: { GAVEL_LINK_FILE: "/none" } });
    assert.match(given.stderr, /The link other:1 /);
  });

  it("that cannot be had are named in one sentence", async () => {
    using gavel = new CommandLine({ "w.json": WORKER, empty: "" });
    const missing = await gavel.run(["list"], { variables: { GAVEL_STORE_FILE: "/none" } });
    const what = "/none, which GAVEL_STORE_FILE names, cannot be read (ENOENT)";
    assert.equal(missing.stderr, `gavel: ${what}; make that file readable, or unset GAVEL_STORE_FILE.\n`);
    assert.equal(missing.code, 1);
    const variables = { GAVEL_LINK_FILE: join(gavel.folder, "empty") };
    const empty = await gavel.run(["worker", "--participants", "w.json"], { variables });
    assert.match(
      empty.stderr,
      /^\S+, which GAVEL_LINK_FILE names, is empty; write the value of GAVEL_LINK into it\.\n$/,
    );
    // What needs no secret does not ask for it.
    assert.equal((await gavel.run(["help", "serve"], { variables: { GAVEL_STORE_FILE: "/none" } })).code, 0);
  });
});
