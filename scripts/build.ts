import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, context, formatMessages, type Message, type Plugin } from "esbuild";
import { type Bundle, bundles, esbuildOptions, isWritten } from "./bundles.ts";
import { root } from "./root.ts";

const { watch } = parseArgs({ options: { watch: { type: "boolean", default: false } } }).values;

const written = bundles.filter((bundle) => {
  if (!isWritten(bundle)) console.log(`skipped ${bundle.output}: ${bundle.entry} is not written yet`);
  return isWritten(bundle);
});

if (watch) await watchAll(written);
else await buildAll(written);

/** Builds every bundle and prints their sizes. A warning fails the build as an error does. */
async function buildAll(wanted: readonly Bundle[]): Promise<void> {
  const results = await Promise.all(wanted.map((bundle) => build(esbuildOptions(bundle)).catch(asResult)));
  const problems = await readable(results.flatMap(({ errors, warnings }) => [...errors, ...warnings]));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else for (const bundle of wanted) console.log(sizeLine(bundle));
}

/** Builds again at every change, until it is ended. The lines it prints are those that .vscode/tasks.json waits for. */
async function watchAll(wanted: readonly Bundle[]): Promise<void> {
  let running = 0;
  const report: Plugin = {
    name: "report",
    setup(hooks) {
      hooks.onStart(() => {
        if (running++ === 0) console.log("[watch] build started");
      });
      hooks.onEnd(async ({ errors, warnings }) => {
        for (const { location, text } of [...errors, ...warnings]) {
          console.error(`${location?.file ?? "?"}:${location?.line ?? 1}:${(location?.column ?? 0) + 1}: ${text}`);
        }
        if (--running === 0) console.log("[watch] build finished");
      });
    },
  };
  const contexts = await Promise.all(wanted.map((bundle) => context({ ...esbuildOptions(bundle), plugins: [report] })));
  await Promise.all(contexts.map((each) => each.watch()));
}

function sizeLine({ output, aimKb }: Bundle): string {
  const size = Math.round(statSync(join(root, output)).size / 1000);
  return `${output.padEnd(22)}${String(size).padStart(6)} kB${aimKb === undefined ? "" : ` of ${aimKb}`}`;
}

/** esbuild rejects with the same two lists that a good build returns. */
function asResult(error: unknown): { readonly errors: Message[]; readonly warnings: Message[] } {
  if (error instanceof Error && "errors" in error && "warnings" in error) {
    return { errors: error.errors as Message[], warnings: error.warnings as Message[] };
  }
  throw error;
}

function readable(messages: Message[]): Promise<string[]> {
  return formatMessages(messages, { kind: "error", color: process.stdout.isTTY, terminalWidth: 120 });
}
