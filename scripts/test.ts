import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { chromium } from "./editor/chromium.ts";
import { root } from "./root.ts";
import { runNode } from "./run-process.ts";
import { type Counts, closingLine, noTests, runTests, sum } from "./run-tests.ts";
import { sourceFiles } from "./source-files.ts";

/** How many test files run at the same time. */
const atOnce = availableParallelism();

/** Seconds, many times what a test or file takes: they end what waits for ever, and a busy machine must not fail a test. */
const LIMITS = { testLimit: 240, fileLimit: 900 };

/**
 * The contract tests of how teams behave, which run on both stores and both runtimes. Those that look into the files of a
 * store are for the store in a folder alone.
 */
const BEHAVIOUR = new Set([
  "runs",
  "interrupt",
  "after-interrupt",
  "directed-message",
  "reasoning",
  "team-message",
  "teams",
  "tools",
  "call-refs",
  "approvals",
  "judged-calls",
  "reviewed-results",
  "recover",
  "while-calls-wait",
  "checkpoints",
  "changed-participants",
  "plans",
]);

/** The steps, in the order in which they run. Without step names as arguments, all of them run. */
const steps = {
  check: () => script("scripts/check.ts"),
  build: () => script("esbuild.mjs"),
  unit: () =>
    runTests(testsIn(["shared", "socket", "server", "client", "cli", "scripts", "test/engine", "test/hostile"]), {
      atOnce,
      ...LIMITS,
    }),
  contract: () => runTests(testsIn(["test/contract", "test/faults", "test/samples"]), { atOnce, ...LIMITS }),
  // Left out, with the reason, where there is no PostgreSQL and none can be installed.
  postgres: async () => {
    const files = testsIn(["test/postgres"]);
    const suites = behaviourSuites();
    if (files.length + suites.length === 0) return noTests;
    const { sharePostgres, withStoresOnPostgres } = await import("../test/servers/postgres.ts");
    return withServices(sharePostgres, async () => {
      const own = files.length === 0 ? noTests : await runTests(files, { atOnce, ...LIMITS });
      if (suites.length === 0) return own;
      return sum(own, await withStoresOnPostgres(() => runTests(suites, { atOnce, ...LIMITS })));
    });
  },
  // Likewise where there is no NATS server.
  link: async () => {
    const files = testsIn(["test/link"]);
    const suites = behaviourSuites();
    if (files.length + suites.length === 0) return noTests;
    const { shareNats, withTurnsOnLink } = await import("../test/servers/nats.ts");
    return withServices(shareNats, async () => {
      const own = files.length === 0 ? noTests : await runTests(files, { atOnce, ...LIMITS });
      if (suites.length === 0) return own;
      return sum(own, await withTurnsOnLink(() => runTests(suites, { atOnce, ...LIMITS })));
    });
  },
  // What hosts do for each other needs both servers.
  hosts: async () => {
    const files = testsIn(["test/hosts"]);
    if (files.length === 0) return noTests;
    const [{ sharePostgres }, { shareNats }] = await Promise.all([
      import("../test/servers/postgres.ts"),
      import("../test/servers/nats.ts"),
    ]);
    return withServices(sharePostgres, () => withServices(shareNats, () => runTests(files, { atOnce, ...LIMITS })));
  },
  // Thousands of interrupts, crashes and messages injected into recorded runs.
  replay: () => runTests(testsIn(["test/replay"]), { atOnce, testLimit: 600, fileLimit: 900 }),
  // Found or installed before the tests that need it, so that its progress is shown: tests print only when they end.
  browser: () => chromium().then(() => noTests),
  page: async () => {
    const { startServices } = await import("../test/page/shared-services.ts");
    return withServices(startServices, () => runTests(testsIn(["test/page"]), { atOnce, ...LIMITS, fileLimit: 3600 }));
  },
  package: () => script("scripts/package.ts"),
  editor: async () => {
    const { startServices } = await import("../test/editor/harness/shared-services.ts");
    return withServices(startServices, () =>
      runTests(testsIn(["test/editor"]), { atOnce, testLimit: 240, fileLimit: 900 }),
    );
  },
} satisfies Record<string, () => Promise<Counts>>;

function behaviourSuites(): string[] {
  return testsIn(["test/contract"]).filter((file) => BEHAVIOUR.has(basename(file, ".test.ts")));
}

type StepName = keyof typeof steps;
const names = Object.keys(steps) as StepName[];

const given = process.argv.slice(2);
const asked = names.filter((name) => given.includes(name));
/** Arguments that are not step names filter the test files by path: `npm run test:editor -- review`. */
const filters = given.filter((argument) => !names.some((name) => name === argument));

let total = noTests;
for (const name of asked.length === 0 ? names : asked) {
  console.log(`\n── ${name}`);
  const counts = await steps[name]().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    return undefined;
  });
  total = sum(total, counts ?? noTests);
  if (counts !== undefined && counts.failed === 0) continue;
  console.error(`\nnpm test stops here: ${name} failed.`);
  process.exitCode = 1;
  break;
}
console.log(`\n${closingLine(total)}`);

async function script(path: string): Promise<Counts> {
  await runNode([join(root, path)], { output: "inherit" });
  return noTests;
}

/** Starts the services that tests share, runs the tests, and ends the services. */
async function withServices(
  start: () => Promise<(() => Promise<void>) | undefined>,
  tests: () => Promise<Counts>,
): Promise<Counts> {
  const end = await start();
  try {
    return await tests();
  } finally {
    await end?.();
  }
}

function testsIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => sourceFiles(root, folder))
    .filter(
      (file) => /\.test\.ts$/.test(file) && (filters.length === 0 || filters.some((part) => file.includes(part))),
    );
}
