import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as contributions from "../client/contributions.ts";
import { type Manifest, manifestProblems } from "./manifest.ts";
import { root } from "./root.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const problems = manifestProblems(manifest, contributions);
for (const problem of problems) console.error(`${problem} See client/contributions.ts.`);
process.exitCode = problems.length === 0 ? 0 : 1;
