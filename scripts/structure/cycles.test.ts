import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileCycles, folderCycles } from "./cycles.ts";
import { type FileImports, importsOf } from "./imports.ts";

/** Files that import, by relative specifiers, what stands beside their names. */
function files(imports: Readonly<Record<string, readonly string[]>>): FileImports[] {
  return Object.entries(imports).map(([file, specifiers]) => ({
    file,
    imports: importsOf(specifiers.map((specifier) => `import type { X } from "${specifier}";`).join("\n")),
  }));
}

describe("a cycle of files", () => {
  it("is found over several files, and named whole", () => {
    const found = fileCycles(files({ "a/x.ts": ["./y.ts"], "a/y.ts": ["../b/z.ts"], "b/z.ts": ["../a/x.ts"] }));
    assert.deepEqual(found, [["a/x.ts", "a/y.ts", "b/z.ts"]]);
  });

  it("is not one where two paths lead to the same file", () => {
    const found = fileCycles(
      files({ "a.ts": ["./b.ts", "./c.ts"], "b.ts": ["./d.ts"], "c.ts": ["./d.ts"], "d.ts": [] }),
    );
    assert.deepEqual(found, []);
  });
});

describe("a cycle of folders", () => {
  it("is found where no file is in a cycle, with the imports that make it", () => {
    const found = folderCycles(files({ "src/a/x.ts": ["../b/y.ts"], "src/a/z.ts": [], "src/b/y.ts": ["../a/z.ts"] }));
    assert.deepEqual(found, [
      {
        folder: "src",
        children: ["a/", "b/"],
        imports: ["src/a/x.ts -> src/b/y.ts", "src/b/y.ts -> src/a/z.ts"],
      },
    ]);
  });

  it("is found between a folder and a file beside it", () => {
    const found = folderCycles(files({ "main.ts": ["./a/x.ts"], "a/x.ts": ["./y.ts"], "a/y.ts": ["../main.ts"] }));
    assert.deepEqual(
      found.map(({ folder, children }) => ({ folder, children })),
      [{ folder: "", children: ["a/", "main.ts"] }],
    );
  });

  it("is not one where a folder is only imported", () => {
    const found = folderCycles(files({ "main.ts": ["./a/x.ts"], "a/x.ts": ["./deep/y.ts"], "a/deep/y.ts": [] }));
    assert.deepEqual(found, []);
  });
});
