import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";

/**
 * This folder is the corpus of what was tried against Gavel, as data, with what has to come of it. A subject is one JSON
 * file, and the test of the same name runs every entry of it against real parts; a few are read by another test. To try
 * something else, add an entry; to add a subject, add both files and a line here.
 */
const corpus: Readonly<Record<string, { readonly from: string; readonly holds: string; readonly test?: string }>> = {
  "call-ids": { from: "models", holds: "each call is decided alone, whatever id the model gives" },
  "command-lines-long": { from: "models", holds: "a long command line is judged in steps in proportion to its length" },
  "command-lines-options": {
    from: "models",
    holds: "an option that runs or writes is a question, and ordinary commands pass; real shells agree",
  },
  connection: { from: "clients", holds: "what is not a message is answered with one plain error" },
  "deep-json": { from: "models", holds: "JSON that is nested too deep is refused where it is read" },
  endpoints: { from: "team files", holds: "nothing is sent to an origin that was not allowed" },
  environment: { from: "the user's environment", holds: "no secret gets to a command, and what programs need does" },
  "json-schemas": { from: "tools and team files", holds: "a schema never holds up the host" },
  "key-echoes": { from: "endpoints", holds: "a key that comes back is blanked, whatever form it has" },
  "page-payloads": {
    from: "models, tools and team files",
    holds: "a text is shown as text and runs nothing",
    test: "test/page/payload-tests.ts",
  },
  "path-patterns": { from: "users", holds: "a path rule that could never match is kept in another form, or refused" },
  "path-rules": { from: "models", holds: "a rule for paths holds for the file that is opened, however it is named" },
  patterns: { from: "team files and models", holds: "a pattern never holds up the host" },
  requests: { from: "clients", holds: "a request of the wrong shape gets one plain error, and the host goes on" },
  sandbox: { from: "commands", holds: "what the sandbox hides or protects is neither read nor written" },
  "sensitive-calls": { from: "models", holds: "calls that write protected files or read secret files ask" },
  "sensitive-files": { from: "models", holds: "a protected or secret file is known by any of its names" },
  usage: { from: "endpoints", holds: "an absurd number of tokens is ignored, and the team can be read" },
  "team-files": { from: "team files", holds: "a definition of any size or depth is checked quickly, or refused" },
};

const files = readdirSync(import.meta.dirname);

test("every file of the corpus is described, and nothing else is", () => {
  const found = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
  assert.deepEqual(found.sort(), Object.keys(corpus).sort());
});

test("every file of the corpus is run by the test that is named", () => {
  for (const [subject, { test: named = `test/hostile/${subject}.test.ts` }] of Object.entries(corpus)) {
    assert.ok(
      readFileSync(join(root, named), "utf8").includes(`${subject}.json"`),
      `${named} does not read ${subject}`,
    );
  }
});
