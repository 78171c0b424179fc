import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import { memoryLog } from "../testing/memory-log.ts";
import { EndpointPermissions } from "./endpoint-permissions.ts";

/** What the extension stores, in memory. */
class MemoryMemento implements Memento {
  readonly #values: Map<string, unknown>;

  constructor(stored: Readonly<Record<string, unknown>>) {
    this.#values = new Map(Object.entries(stored));
  }

  keys = (): readonly string[] => [...this.#values.keys()];

  get<T>(key: string): T | undefined;
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    return this.#values.get(key) ?? fallback;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, structuredClone(value));
  }
}

/** Permissions of a user who gives these answers, allowing everything after them; and the questions that were asked. */
function permissionsOf(stored: Readonly<Record<string, unknown>> = {}, answers: readonly ("Allow" | undefined)[] = []) {
  const asked: string[] = [];
  const given = [...answers];
  const permissions = new EndpointPermissions(
    new MemoryMemento(stored),
    async (question, detail) => {
      asked.push(`${question} ${detail}`);
      return given.length > 0 ? given.shift() : "Allow";
    },
    memoryLog().log,
  );
  return { permissions, asked };
}

const https = "https://gateway.example";
const http = "http://gateway.example";

test("a permission is for an origin: after https, http is asked about, and so is another port", async () => {
  const { permissions, asked } = permissionsOf();
  const secret = "mine";
  assert.equal(await permissions.isAllowed({ origin: https, secret }), true);
  assert.equal(await permissions.isAllowed({ origin: https, secret }), true);
  assert.equal(asked.length, 1);
  await permissions.isAllowed({ origin: http, secret });
  await permissions.isAllowed({ origin: `${https}:8443`, secret });
  assert.equal(asked.length, 3);
  assert.match(asked[0] ?? "", /^Send messages and your key "mine" to https:\/\/gateway\.example\? /);
  assert.doesNotMatch(asked[0] ?? "", /not encrypted/);
  assert.match(asked[1] ?? "", /sent this key only to https:\/\/gateway\.example\..*not encrypted/s);
});

test("who gets the messages is a model or an agent by its name, which cannot hide or add text", async () => {
  const { permissions, asked } = permissionsOf();
  await permissions.isAllowed({ origin: https });
  await permissions.isAllowed({ origin: http, agent: "booking" });
  await permissions.isAllowed({ origin: http, agent: "book\u202eing", secret: "mine" });
  assert.match(asked[0] ?? "", / A model of the team is there\. It gets the conversation/);
  assert.match(asked[1] ?? "", / The agent "booking" of the team is there\. It gets the conversation/);
  assert.match(asked[2] ?? "", / The agent "book⟨U\+202E⟩ing" of the team is there\. .*, and the key\./);
  for (const question of asked.slice(1)) assert.doesNotMatch(question, /model/i);
});

test("messages may go where a key may, but not the other way round, nor another key", async () => {
  const { permissions, asked } = permissionsOf();
  await permissions.isAllowed({ origin: https, secret: "mine" });
  assert.equal(permissions.has(https), true);
  await permissions.isAllowed({ origin: https, secret: "other" });
  assert.equal(asked.length, 2);
  await permissions.isAllowed({ origin: http });
  await permissions.isAllowed({ origin: http, secret: "mine" });
  assert.equal(asked.length, 4);
  assert.deepEqual(permissions.all, { [https]: ["mine", "other"], [http]: ["mine"] });
});

test("a permission of an earlier version, which had no scheme, counts for https only", async () => {
  const { permissions, asked } = permissionsOf({
    "gavel.keyHosts": { mine: ["gateway.example", "127.0.0.1:9", 7], x: 1 },
  });
  assert.equal(await permissions.isAllowed({ origin: https, secret: "mine" }), true);
  assert.equal(await permissions.isAllowed({ origin: https }), true);
  assert.deepEqual(asked, []);
  await permissions.isAllowed({ origin: "http://127.0.0.1:9", secret: "mine" });
  assert.equal(asked.length, 1);
  assert.deepEqual(permissions.all, {
    "https://127.0.0.1:9": ["mine"],
    "http://127.0.0.1:9": ["mine"],
    [https]: ["mine"],
  });
});

test("permissions of an earlier version are added to those of this one, and stay when something is allowed or forgotten", async () => {
  const { permissions, asked } = permissionsOf({
    "gavel.endpoints": { [https]: ["other"], [http]: [] },
    "gavel.keyHosts": { mine: ["gateway.example"] },
  });
  assert.deepEqual(permissions.all, { [https]: ["other", "mine"], [http]: [] });
  await permissions.forget(http);
  assert.deepEqual(permissions.all, { [https]: ["other", "mine"] });
  assert.deepEqual(asked, []);
});

test("a refusal is not remembered, and requests at the same time share a question", async () => {
  const { permissions, asked } = permissionsOf({}, [undefined]);
  const request = { origin: https };
  assert.deepEqual(await Promise.all([permissions.isAllowed(request), permissions.isAllowed(request)]), [false, false]);
  assert.equal(asked.length, 1);
  assert.equal(await permissions.isAllowed(request), true);
});

test("what is taken back is asked about again", async () => {
  const { permissions, asked } = permissionsOf({ "gavel.keyHosts": { mine: ["gateway.example"] } });
  await permissions.isAllowed({ origin: http, secret: "mine" });
  await permissions.forget(https);
  assert.deepEqual(permissions.all, { [http]: ["mine"] });
  await permissions.forgetKey("mine");
  assert.equal(permissions.has(http), true);
  await permissions.isAllowed({ origin: http, secret: "mine" });
  assert.equal(asked.length, 2);
});

test("the name of a key, which is the team file's, cannot hide or add text", async () => {
  const { permissions, asked } = permissionsOf();
  await permissions.isAllowed({ origin: https, secret: 'a"\n\nGavel has checked this endpoint.\u202e' });
  assert.match(asked[0] ?? "", /⟨newline⟩.*⟨U\+202E⟩/s);
});
