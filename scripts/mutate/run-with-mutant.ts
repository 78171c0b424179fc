import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";
import { root } from "../root.ts";
import { MutantTask, TEST_FAILED } from "./mutant-task.ts";
import { mutated } from "./mutants.ts";

// The process that mutate.ts starts for a mutant: runs a MutantTask, given as JSON in the only argument.
const { testFiles, mutant } = MutantTask.parse(JSON.parse(process.argv[2] ?? ""));
const path = join(root, mutant.file);
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("file:") || fileURLToPath(url) !== path) return nextLoad(url, context);
    const source = stripTypeScriptTypes(mutated(readFileSync(path, "utf8"), mutant));
    return { format: "module", source, shortCircuit: true };
  },
});

const events = run({ files: testFiles.map((file) => join(root, file)), isolation: "none", cwd: root });
events.on("test:fail", ({ name, file, details }) => {
  const line = `${file ?? ""}: ${name}: ${details.error.message.split("\n")[0]}\n`;
  process.stdout.write(line, () => process.exit(TEST_FAILED));
});
events.resume();
