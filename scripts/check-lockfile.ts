import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockfileProblems } from "./lockfile/lockfile.ts";
import { root } from "./root.ts";

const problems = lockfileProblems(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
for (const problem of problems) console.error(`package-lock.json: ${problem} See scripts/complete-lockfile.ts.`);
process.exitCode = problems.length === 0 ? 0 : 1;
