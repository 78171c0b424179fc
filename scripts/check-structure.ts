import { root } from "./root.ts";
import { areaViolations } from "./structure/areas.ts";

const violations = areaViolations(root);
for (const { file, line, imported, rule } of violations) {
  console.error(`${file}:${line} imports "${imported}". ${rule}`);
}
process.exitCode = violations.length === 0 ? 0 : 1;
