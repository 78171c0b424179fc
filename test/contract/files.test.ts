import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { FilesFind, FilesSecrets } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

describe("files to attach", () => {
  it("are found by their names without ignored ones, and those that may hold secrets say why", async () => {
    using scratch = new Scratch();
    const root = join(scratch.path, "work");
    for (const path of [".env", "src/split.js", "dist/split.js", "keys.mine", ".gitignore"]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path === ".gitignore" ? "dist" : "");
    }
    symlinkSync(join(root, ".env"), join(root, "notes.txt"));
    const uri = (path: string): string => pathToFileURL(join(root, path)).href;
    await using host = await HostClient.start({
      folders: [pathToFileURL(root).href],
      settings: { "gavel.secretFiles": ["*.mine"] },
    });

    const { files } = await host.send(FilesFind, { query: "split" });
    assert.deepEqual(files, [{ uri: uri("src/split.js"), path: "src/split.js" }]);

    const asked = ["src/split.js", ".env", "keys.mine", "notes.txt"].map(uri);
    const elsewhere = [
      `${uri(".env").replace("file:", "git:")}?%7B%22ref%22%3A%22~%22%7D`,
      `${uri("key.pem.git").replace("file:", "git:")}?%7B%22ref%22%3A%22HEAD%22%7D`,
      "untitled:.env",
      "vscode-vfs://github/owner/repo/src/%2Eenv.local",
      "vscode-vfs://github/owner/repo/100%/id_rsa",
      "file://server/share/id_rsa",
    ];
    const harmless = [
      "untitled:Untitled-1",
      uri("src/a.js").replace("file:", "git:"),
      "vscode-vfs://github/a/b.md",
      "none",
    ];
    const { secrets } = await host.send(FilesSecrets, { uris: [...asked, ...elsewhere, ...harmless] });
    assert.deepEqual(
      secrets.map((found) => found.uri),
      [...asked.slice(1), ...elsewhere],
    );
    assert.match(secrets[1]?.why ?? "", /gavel\.secretFiles/);
  });
});
