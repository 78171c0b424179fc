import { manifestProblems } from "./manifest.ts";
import { root } from "./root.ts";

const problems = manifestProblems(root);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
