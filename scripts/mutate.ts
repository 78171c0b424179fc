import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as z from "zod";
import { bundleServer } from "./mutate/bundle-server.ts";
import { type Reach, reachOf } from "./mutate/coverage.ts";
import { type MutantTask, TEST_FAILED } from "./mutate/mutant-task.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";
import { type Outcome, type Result, report } from "./mutate/report.ts";
import { root } from "./root.ts";
import { sourceFiles } from "./source-files.ts";

/**
 * Mutation testing: changes the sources in one place at a time and runs the unit tests that cover the place, and for the
 * host and shared/ the contract tests too. It starts with one run of all unit tests (minutes), to see what each covers.
 *
 *     npm run mutate                                  all mutants (hours)
 *     npm run mutate -- --sample 400 --seed 1         400 random mutants; the same seed gives the same ones
 *     npm run mutate -- --files server/engine/log     only files whose path contains this text; can be repeated
 *     npm run mutate -- --resume                      reuses the results of earlier runs for unchanged files
 *
 * Prints the mutants that no test noticed, and a score for each folder.
 */
const { values } = parseArgs({
  options: {
    files: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    resume: { type: "boolean", default: false },
  },
});

const MUTATED = ["server/engine", "server/host/store", "server/host/sessions", "server/host/approvals", "shared"];
const TESTED = ["shared", "server", "client", "scripts", "test/engine"];
const contractTests = sourceFiles(root, "test/contract").filter((file) => file.endsWith(".test.ts"));
const results = join(root, "node_modules", ".cache", "gavel", "mutants.jsonl");

const sources = MUTATED.flatMap((folder) => sourceFiles(root, folder)).filter(
  (file) =>
    !/\.test\.ts$|\/testing\//.test(file) &&
    (values.files === undefined || values.files.some((part) => file.includes(part))),
);
const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const every = [...texts].flatMap(([file, source]) => mutantsOf(file, source));
const mutants = sampled(every);
if (mutants.length === 0) {
  console.error(`No mutants: --files chooses among ${MUTATED.join(", ")}.`);
  process.exit(1);
}

const reaches: Reach[] = [];
const testFiles = TESTED.flatMap((folder) => sourceFiles(root, folder)).filter((file) => /\.test\.tsx?$/.test(file));
console.log(`Running ${testFiles.length} test files to see what code each of them covers.`);
await inParallel(testFiles, async (file) => {
  try {
    reaches.push(await reachOf(file));
  } catch {
    console.log(`${file} fails without a mutant and is not used.`);
  }
});

const known = values.resume ? earlier() : new Map<string, Result>();
if (!values.resume) writeFileSync(made(results), "");
let done = 0;
const all = await inParallel(mutants, async (mutant): Promise<Result> => {
  const result = known.get(keyOf(mutant)) ?? (await outcomeOf(mutant));
  if (!known.has(keyOf(mutant))) appendFileSync(results, `${JSON.stringify({ key: keyOf(mutant), ...result })}\n`);
  if (++done % 20 === 0) console.log(`${done} of ${mutants.length} mutants`);
  return result;
});
const extent = `${mutants.length} of ${every.length} mutants, seed ${values.seed}`;
console.log(`${report(all, texts)}\n\nUnit tests, and contract tests for server/host and shared; ${extent}.`);

/** Runs the tests that cover the mutant: first those in its folder, which mostly notice it, then all others. */
async function outcomeOf(mutant: Mutant): Promise<Result> {
  const reaching = reaches.filter(({ reaches }) => reaches(mutant.file, mutant.start)).sort((a, b) => a.ms - b.ms);
  const beside = reaching.filter(({ testFile }) => dirname(testFile) === dirname(mutant.file));
  const others = reaching.filter((reach) => !beside.includes(reach));
  for (const group of [beside, others]) {
    if (group.length === 0) continue;
    const ms = group.reduce((sum, one) => sum + one.ms, 0);
    const result = await tried({ testFiles: group.map(({ testFile }) => testFile), mutant }, ms);
    if (result.outcome !== "survived") return { mutant, ...result };
  }
  if (/^(server\/host|shared)\//.test(mutant.file)) return { mutant, ...(await triedByContract(mutant)) };
  return { mutant, outcome: reaching.length === 0 ? "notCovered" : "survived" };
}

/** Runs the contract tests against a host with the mutant. */
async function triedByContract(mutant: Mutant): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), "gavel-mutant-"));
  try {
    const server = await bundleServer(mutant, folder);
    if (server === undefined) return { outcome: "killed", by: "esbuild" };
    return await tried({ testFiles: contractTests, mutant }, 120_000, { GAVEL_SERVER: server });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Tried = Omit<Result, "mutant">;

/** Runs test files with a mutant, for 20 seconds more than they take without it. */
async function tried(task: MutantTask, ms: number, env: Readonly<Record<string, string>> = {}): Promise<Tried> {
  const child = spawn(process.execPath, [join(root, "scripts/mutate/run-with-mutant.ts"), JSON.stringify(task)], {
    cwd: root,
    env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), 20_000 + ms);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [output, code] = await Promise.all([text(child.stdout), exited]);
  clearTimeout(limit);
  if (code === null) return { outcome: "timedOut" };
  if (code === 0) return { outcome: "survived" };
  return {
    outcome: "killed",
    by: code === TEST_FAILED ? output.split("\n").find((line) => line !== "") : `a crash (${code})`,
  };
}

/** As many random mutants as `--sample` says; the same ones for the same seed and sources. */
function sampled(from: readonly Mutant[]): readonly Mutant[] {
  if (values.sample === undefined) return from;
  const drawn = (mutant: Mutant): string =>
    createHash("sha256")
      .update(`${values.seed} ${keyOf(mutant)}`)
      .digest("hex");
  return from
    .map((mutant) => ({ mutant, place: drawn(mutant) }))
    .sort((a, b) => a.place.localeCompare(b.place))
    .slice(0, Number(values.sample))
    .map(({ mutant }) => mutant);
}

function keyOf({ file, start, end, replacement }: Mutant): string {
  const source = createHash("sha256")
    .update(texts.get(file) ?? "")
    .digest("hex")
    .slice(0, 12);
  return `${file} ${source} ${start}-${end} ${replacement}`;
}

function earlier(): Map<string, Result> {
  if (!existsSync(results)) return new Map();
  const Line = z.object({
    key: z.string(),
    mutant: z.custom<Mutant>(),
    outcome: z.custom<Outcome>(),
    by: z.string().optional(),
  });
  const lines = readFileSync(results, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return new Map(lines.map((line) => Line.parse(JSON.parse(line))).map(({ key, ...result }) => [key, result]));
}

function made(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** As many at once as there are processors. @returns the answers in the order of the items. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers = new Array<R>(items.length);
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return answers;
}
