import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";
import { root } from "../root.ts";
import { mutated } from "./mutants.ts";
import { FAILED, MutantTask } from "./task.ts";

const { testFiles, mutant } = MutantTask.parse(JSON.parse(process.argv[2] ?? ""));
if (mutant !== undefined) {
  const path = join(root, mutant.file);
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith("file:") || fileURLToPath(url) !== path) return nextLoad(url, context);
      const source = stripTypeScriptTypes(mutated(readFileSync(path, "utf8"), mutant));
      return { format: "module", source, shortCircuit: true };
    },
  });
}

const events = run({ files: testFiles.map((file) => join(root, file)), isolation: "none", cwd: root });
events.on("test:fail", ({ name, file, details }) => {
  // The first failure is that of a test; the suite around it fails after it.
  process.stdout.write(`${file ?? ""}: ${name}: ${details.error.message.split("\n")[0]}\n`, () => process.exit(FAILED));
});
events.resume();
