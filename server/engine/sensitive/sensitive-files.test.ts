import assert from "node:assert/strict";
import { test } from "node:test";
import { SensitiveFiles } from "./sensitive-files.ts";

const roots = () => ["/projects/app"];

test("the user's globs add protected and secret files, at any depth or from the root of the file system", () => {
  const added = {
    protectedFiles: ["deploy/**/*.sh", "/etc/app/*.conf", "*.{lua,tcl}"],
    secretFiles: ["notes", ".env.example"],
  };
  const files = new SensitiveFiles({ roots, added: () => added });
  const isProtected = (path: string) => files.protectedFile(path)?.why;
  const isSecret = (path: string) => files.secretFile(path)?.why;
  for (const path of ["deploy/run.sh", "/projects/app/a/deploy/b/c/Run.sh", "/etc/app/main.conf", "x/y.tcl"])
    assert.equal(isProtected(path), "the setting gavel.protectedFiles names it", path);
  for (const path of ["deploy/run.ts", "/projects/app/etc/app/main.conf", "/etc/app/x/main.conf"])
    assert.equal(isProtected(path), undefined, path);
  for (const path of ["notes/2025.txt", "/projects/app/NOTES", ".env.example"])
    assert.equal(isSecret(path), "the setting gavel.secretFiles names it", path);
  assert.equal(isSecret("notes.txt"), undefined);
});

test("globs that are added later apply at once", () => {
  let added = { protectedFiles: [] as string[], secretFiles: [] as string[] };
  const files = new SensitiveFiles({ roots, added: () => added });
  assert.equal(files.protectedFile("main.lua"), undefined);
  added = { protectedFiles: ["*.lua"], secretFiles: [] };
  assert.notEqual(files.protectedFile("main.lua"), undefined);
});

test("folders above the open folder do not make its files protected or secret", () => {
  const files = new SensitiveFiles({ roots: () => ["/home/ann/.claude/worktrees/app", "C:\\.ssh\\App"] });
  assert.equal(files.protectedFile("/home/ann/.claude/worktrees/app/src/a.ts"), undefined);
  assert.equal(files.secretFile("c:\\.ssh\\app\\src\\a.ts"), undefined);
  assert.notEqual(files.protectedFile("/home/ann/.claude/settings.json"), undefined);
  assert.notEqual(files.secretFile("C:\\.ssh\\other"), undefined);
});

test("an open folder within Gavel's own folder is not Gavel's, but the store beside it is, and so is one in the open folder", () => {
  const files = new SensitiveFiles({ roots: () => ["/gavel/work"], ownFolders: ["/gavel"] });
  assert.equal(files.isOwn("/gavel/work/src/a.ts"), false);
  for (const path of ["/gavel/gavel.db-wal", "/gavel/other", "/gavel"]) assert.equal(files.isOwn(path), true, path);
  const within = new SensitiveFiles({ roots: () => ["/gavel"], ownFolders: ["/gavel"] });
  assert.equal(within.isOwn("/gavel/src/a.ts"), false);
  assert.equal(within.isOwn("/gavel/approvals.json"), true);
});
