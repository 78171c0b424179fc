import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { commandEnvironment } from "../../server/tools/command/command-environment.ts";
import json from "./environment.json" with { type: "json" };

const names = z.array(z.string());
const { secret, editorInternal, needed } = z
  .strictObject({ secret: names, editorInternal: names, needed: names })
  .parse(json);
const host = Object.fromEntries([...secret, ...editorInternal, ...needed].map((name) => [name, `value of ${name}`]));

test("no variable that is named like a secret, or internal to the editor, gets to a command", () => {
  const seen = commandEnvironment(host);
  assert.deepEqual(
    [...secret, ...editorInternal].filter((name) => name in seen),
    [],
  );
});

test("what programs and their build tools need gets to a command", () => {
  const seen = commandEnvironment(host);
  assert.deepEqual(
    needed.filter((name) => seen[name] !== host[name]),
    [],
  );
});
