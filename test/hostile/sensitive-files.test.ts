import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { SensitiveFiles } from "../../server/engine/index.ts";
import json from "./sensitive-files.json" with { type: "json" };

const paths = z.array(z.string());
const cases = z
  .strictObject({
    roots: paths,
    ownFolders: paths,
    protected: paths,
    notProtected: paths,
    secret: paths,
    notSecret: paths,
    own: paths,
    notOwn: paths,
  })
  .parse(json);

const files = new SensitiveFiles({ roots: () => cases.roots, ownFolders: cases.ownFolders });

/** The paths, of those given, for which `holds` is not what it should be. */
const wrong = (given: readonly string[], expected: boolean, holds: (path: string) => boolean): readonly string[] =>
  given.filter((path) => holds(path) !== expected);

test("a file that leads to execution is protected, whatever the form of its name", () => {
  const isProtected = (path: string) => files.protectedFile(path) !== undefined;
  assert.deepEqual(wrong(cases.protected, true, isProtected), []);
  assert.deepEqual(wrong(cases.notProtected, false, isProtected), []);
});

test("a file that holds secrets is secret, whatever the form of its name; a template of one is not", () => {
  const isSecret = (path: string) => files.secretFile(path) !== undefined;
  assert.deepEqual(wrong(cases.secret, true, isSecret), []);
  assert.deepEqual(wrong(cases.notSecret, false, isSecret), []);
});

test("Gavel's own storage is told apart from the folders beside and above it", () => {
  const isOwn = (path: string) => files.isOwn(path);
  assert.deepEqual(wrong(cases.own, true, isOwn), []);
  assert.deepEqual(wrong(cases.notOwn, false, isOwn), []);
});
