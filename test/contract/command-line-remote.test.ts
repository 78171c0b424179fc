import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CommandLine } from "./harness/command-line.ts";
import { AUTHORITY, TLS } from "./harness/network-host.ts";

const TALK = {
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "one" }],
  models: { default: { provider: "practice", pace: 0, lines: { one: ["First.", "Second."] } } },
  maxTurns: 1,
};

/** A port on which nothing listens now. */
async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("gavel on two computers", () => {
  it("serves users with a token, who see the threads and take part in them under their own names", async () => {
    using owner = new CommandLine({ "talk.team.json": TALK });
    using guest = new CommandLine();
    const {
      code,
      stdout: printed,
      stderr: hint,
    } = await owner.run(["serve", "--add-user", "ann", "--user-name", "Ann"]);
    assert.equal(code, 0, hint);
    const token = printed.trim();
    assert.match(token, /^[\w-]{43}$/);
    const address = `127.0.0.1:${await freePort()}`;
    const tls = ["--certificate", TLS.certificate, "--key", TLS.key];
    const served = await owner.run(["serve", "--idle-minutes", "5", "--listen", address, ...tls]);
    assert.equal(served.code, 0, served.stderr);
    assert.match(served.stdout, /Users with a token join it on 127\.0\.0\.1, port \d+, once you have joined it\./);
    try {
      assert.equal((await owner.run(["run", "talk.team.json", "Begin."])).code, 0);
      const from = ["--host", address, "--certificate", AUTHORITY];
      const as = (given: string) => ({ variables: { GAVEL_HOST_TOKEN: given } });
      const listed = await guest.run(["list", "--json", ...from], as(token));
      assert.equal(listed.code, 0, listed.stderr);
      const [{ teamId }] = JSON.parse(listed.stdout);
      const said = await guest.run(["run", ...from, "--thread", teamId, "Again."], as(token));
      assert.equal(said.code, 0, said.stderr);
      assert.match(said.stdout, /you\n\s+Again\./);
      assert.match(said.stdout, /Second\./);
      const shown = await owner.run(["show", teamId]);
      assert.match(shown.stdout, /you\n\s+Begin\./);
      assert.match(shown.stdout, /\nAnn\n +Again\./);
      const refused = await guest.run(["list", ...from], as(`${token.slice(0, -1)}!`));
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /does not know your token; ask its user for another one\.$/m);
      const without = await guest.run(["list", ...from]);
      assert.match(without.stderr, /^gavel: Give the token that the host's user has given you in GAVEL_HOST_TOKEN\.$/m);
      const untrusted = await guest.run(["list", "--host", address], as(token));
      assert.match(untrusted.stderr, /cannot be joined: its certificate is not trusted/);
    } finally {
      await owner.run(["serve", "--stop"]);
    }
  });
});
