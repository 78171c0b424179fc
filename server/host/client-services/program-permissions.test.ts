import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientRequests } from "./client-requests.ts";
import { ProgramPermissions, type WantedProgram } from "./program-permissions.ts";
import { UserConsent } from "./user-consent.ts";

const files: WantedProgram = {
  use: "mcpServer",
  name: "files",
  from: "file:///home/ann/project/review.team.yaml",
  start: { command: "npx", args: ["server"], folder: "/home/ann/project", environment: { TOKEN: `\${env:MINE}` } },
};

/** The host's permissions with a client that answers each question so, and the questions. */
function permissionsOf(answer: (signal: AbortSignal | undefined) => Promise<boolean>) {
  const asked: unknown[] = [];
  const client: ClientRequests = {
    send: async (message, params, signal) => {
      asked.push(params);
      return message.result.parse({ allowed: await answer(signal) });
    },
  };
  return { permissions: new ProgramPermissions(client, new UserConsent()), asked };
}

const never = new AbortController().signal;

test("a program is asked about once, with its variables as the file has them and not what they are filled with", async () => {
  const { permissions, asked } = permissionsOf(async () => true);
  assert.equal(await permissions.isAllowed(files, never), true);
  assert.equal(await permissions.isAllowed(files, never), true);
  assert.equal(asked.length, 1);
  assert.match(JSON.stringify(asked[0]), /"environment":\["TOKEN=\$\{env:MINE\}"\]/);
});

test("another value of a variable, argument or file is another program", async () => {
  const { permissions, asked } = permissionsOf(async () => true);
  const { start } = files;
  assert.ok("command" in start);
  await permissions.isAllowed(files, never);
  await permissions.isAllowed({ ...files, start: { ...start, environment: { TOKEN: "y" } } }, never);
  await permissions.isAllowed({ ...files, start: { ...start, args: ["server", ""] } }, never);
  await permissions.isAllowed({ ...files, from: undefined }, never);
  await permissions.isAllowed({ ...files, start: { url: "https://a.example", headers: {} } }, never);
  await permissions.isAllowed({ ...files, start: { url: "https://a.example", headers: { key: "k" } } }, never);
  assert.equal(new Set(asked.map((question) => JSON.stringify(question))).size, 6);
});

test("an interrupt does not wait for the answer, and cancels the question", async () => {
  let cancelled = false;
  const { permissions } = permissionsOf(
    (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          cancelled = true;
          reject(new Error("cancelled"));
        });
      }),
  );
  const controller = new AbortController();
  const allowed = permissions.isAllowed(files, controller.signal);
  controller.abort();
  assert.equal(await allowed, false);
  assert.equal(cancelled, true);
});

test("what is forgotten is asked about again", async () => {
  const { permissions, asked } = permissionsOf(async () => true);
  await permissions.isAllowed(files, never);
  permissions.forget("other");
  permissions.forget(JSON.parse(JSON.stringify(asked[0])).digest);
  await permissions.isAllowed(files, never);
  assert.equal(asked.length, 2);
});

test("a command that is too long to be shown is refused without a question", async () => {
  const { permissions, asked } = permissionsOf(async () => true);
  const long = { command: "npx", args: ["x".repeat(5_000)], folder: "/", environment: {} };
  const refusal = /^Error: The command and variables of "files" have more/;
  await assert.rejects(permissions.isAllowed({ ...files, start: long }, never), refusal);
  const hidden = { ...long, args: [], environment: { PATH: "x".repeat(5_000) } };
  await assert.rejects(permissions.isAllowed({ ...files, start: hidden }, never), refusal);
  assert.deepEqual(asked, []);
});
