import { brokenLinks } from "./docs/links.ts";
import { root } from "./root.ts";

const problems = brokenLinks(root);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
