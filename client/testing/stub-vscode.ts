import { registerHooks } from "node:module";

const stub = new URL("./vscode.ts", import.meta.url).href;

/**
 * Lets modules that import `vscode` run outside the editor, with the parts in vscode.ts. Import this file first, and the
 * module under test after it with `await import(…)`.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: stub, format: "module-typescript", shortCircuit: true } : next(specifier, context),
});
