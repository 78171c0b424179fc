import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { anchorsOf, brokenLinks } from "./links.ts";

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "gavel-links-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("anchors are those that GitHub makes of headings", () => {
  const page = "# The wire, v1\n## `team/open`\n```\n# no heading\n```\n## Twice\n## Twice\n### A [link](x.md)\n";
  assert.deepEqual(anchorsOf(page), ["the-wire-v1", "teamopen", "twice", "twice-1", "a-link"]);
});

test("a link to a page, a heading or a folder that is there is fine, as is one to another site", (t) => {
  const links = "[a](docs/A.md) [b](docs/A.md#one) [c](#here) [d](docs) [e](https://example.com/x)";
  const root = project(t, { "README.md": `# Here\n${links}\n`, "docs/A.md": "# One\n[up](../README.md#here)\n" });
  assert.deepEqual(brokenLinks(root), []);
});

test("a link to a file or heading that is not there is named with its page", (t) => {
  const root = project(t, { "README.md": "[a](docs/B.md) [b](docs/A.md#two)\n", "docs/A.md": "# One\n" });
  assert.deepEqual(brokenLinks(root), [
    "README.md links to docs/B.md, which does not exist.",
    "README.md links to docs/A.md#two, and there is no such heading.",
  ]);
});

test("paths in backticks are checked on the pages that are maps of the sources, and method names are no paths", (t) => {
  const text = "`server/main.ts` `server/gone.ts` `server/engine/` `team/open`\n";
  const root = project(t, { "CONTRIBUTING.md": text, "README.md": text, "server/main.ts": "" });
  assert.deepEqual(brokenLinks(root), [
    "CONTRIBUTING.md names server/gone.ts, which does not exist.",
    "CONTRIBUTING.md names server/engine/, which does not exist.",
  ]);
});

test("a citation of a heading in a comment or a test title is checked, also over two lines", (t) => {
  const cited = (heading: string, blank = " ") => `PAGE.md,${blank}"${heading}"`;
  const source = `// ${cited("One")}\n/** See ${cited("Two", "\n * ")}. */\n`;
  const root = project(t, { "docs/PAGE.md": "# One\n", "server/a.ts": source });
  assert.deepEqual(brokenLinks(root), [`server/a.ts cites ${cited("Two")}, which does not exist.`]);
});
