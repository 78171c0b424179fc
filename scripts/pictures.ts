import { join } from "node:path";
import { root } from "./root.ts";
import { runNode } from "./run-process.ts";

/** Makes the README's pictures again: the editor test that shows that they can be made, with docs/images as its folder. */
await runNode([join(root, "scripts", "test.ts"), "build", "package", "editor", "editor/pictures"], {
  output: "inherit",
  env: { GAVEL_PICTURES: join(root, "docs", "images") },
});
