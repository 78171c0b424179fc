import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A folder with one team file, removed after the test. */
export async function folderWithTeam(context: TestContext, file: string, yaml: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-team-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, file), yaml);
  return folder;
}
