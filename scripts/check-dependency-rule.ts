import { dependencyViolations } from "./dependency-rule.ts";
import { root } from "./root.ts";

const violations = dependencyViolations(root);
for (const { file, line, imported, rule } of violations) {
  console.error(`${file}:${line} imports "${imported}". ${rule}`);
}
process.exitCode = violations.length === 0 ? 0 : 1;
