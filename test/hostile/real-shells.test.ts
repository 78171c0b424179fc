import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  matchesWords,
  mightMatchWords,
  parseCommandPattern,
} from "../../server/engine/approvals/commands/command-pattern.ts";
import { evaluateCall } from "../../server/engine/approvals/evaluate-call.ts";
import { literalWord } from "../../server/engine/approvals/shell/shell-word.ts";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { ShellLines } from "../../server/engine/testing/shell-lines.ts";
import type { ApprovalDecision, ApprovalRule } from "../../shared/contract/approval.ts";
import groups from "./command-lines-options.json" with { type: "json" };

/** `SHELL_LINES=5000 SHELL_SEED=7 npm run test:unit -- real-shells` runs more lines, or other ones. */
const LINES = Number(process.env["SHELL_LINES"] ?? 60);
const SEED = Number(process.env["SHELL_SEED"] ?? 1);

/** The drawn lines are made of these. A rule allows the files in `dist/`. */
const VOCABULARY = {
  allowed: ["git status", "npm test", "npm test x", "ls"],
  forbidden: [
    "evil",
    "git push",
    "./git status",
    "evil x",
    "npm",
    "npm test --script-shell=evil",
    "npm test --script-sh evil",
    "npm test -C evil",
    "npm test *",
  ],
  files: ["dist/out", "out", "../out", "dist/../out", "secret", "dist\\..\\out", ".\\dist\\out", "$X", "dist/$X"],
};

/** A text that an expansion or a file's name puts into a command. */
const HOSTILE_OPTION = "--script-shell=evil";

/** Stub programs with their exit status: each records how it was started. */
const STUBS = { git: 0, npm: 1, ls: 0, evil: 0, sudo: 0 } as const;

/** Wrappers: the real programs, so that the commands that they run are real too. */
const REAL = ["env", "xargs", "nice", "nohup", "timeout", "setsid", "time", "find", "sh", "bash"];

const RULE_SETS: Readonly<Record<string, readonly ApprovalRule[]>> = {
  "a command that no rule allows": rules({
    allow: ["git status", "npm test *", "FOO=1 npm test *", "ls *", "find *", "sudo *"],
  }),
  "a command that a rule denies": rules({
    allow: ["git *", "npm *", "ls *", "find *", "sudo *"],
    deny: ["ls", "git push"],
  }),
};

/** Each shell with the words that make it run a line. */
const SHELLS = ["/bin/dash -c", "/bin/bash -c", "/bin/busybox sh -c"].map((shell) => shell.split(" "));

for (const words of SHELLS) {
  const [shell = ""] = words;
  const missing = fs.existsSync(shell) ? false : `there is no ${shell} here`;

  for (const { what, rules: commands, allow } of groups) {
    test(`in ${shell}, no allowed line starts anything that its rules do not allow: ${what}`, {
      skip: missing,
      timeout: 300_000,
    }, (t) => {
      const place = new Place(t, words, stubsFor(commands));
      const wide = rules({ allow: commands });
      for (const line of allow) {
        for (const started of place.run(line))
          assert.ok(mayStart(started, wide), `${shell} started ${JSON.stringify(started)} for ${JSON.stringify(line)}`);
      }
    });
  }

  for (const [what, rules] of Object.entries(RULE_SETS)) {
    test(`in ${shell}, an allowed line starts nothing else: not ${what}, and writes no other file`, {
      skip: missing,
      timeout: 240_000 + LINES * 500,
    }, (t) => {
      const place = new Place(t, words, STUBS);
      let starts = 0;
      for (const line of allowedLines(rules)) {
        for (const started of place.run(line)) {
          starts++;
          assert.ok(
            mayStart(started, rules),
            `${shell} started ${JSON.stringify(started)} for ${JSON.stringify(line)}`,
          );
        }
        assert.deepEqual(place.changed(), [], `files that ${shell} changed for ${JSON.stringify(line)}`);
      }
      assert.ok(starts > LINES / 2, `only ${starts} programs were started`);
    });
  }
}

/** Stubs for the programs that rules name. */
const stubsFor = (commands: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...commands.map((command) => command.split(" ")[0] ?? ""), "evil"]
      .filter((name) => /^[a-z][\w.-]*$/i.test(name) && !REAL.includes(name))
      .map((name) => [name, 0]),
  );

function rules(commands: Partial<Record<ApprovalDecision, readonly string[]>>): readonly ApprovalRule[] {
  const rule = { id: "r", tool: "runCommand", scope: "always" as const };
  const decisions = Object.entries(commands) as [ApprovalDecision, readonly string[]][];
  return [
    { ...rule, decision: "allow", path: "dist/**" },
    ...decisions.flatMap(([decision, patterns]) => patterns.map((command) => ({ ...rule, decision, command }))),
  ];
}

/** Lines without a character that is special to shells are skipped. */
const SPECIAL = /["'`\\$#<>(){}&|;*\n]/;

/** Lines that the rules allow; the same for the same seed. */
function* allowedLines(rules: readonly ApprovalRule[]): Generator<string, void, undefined> {
  const tool = { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const };
  const lines = new ShellLines(seededRandom(SEED), VOCABULARY);
  const seen = new Set<string>();
  for (let drawn = 0; seen.size < LINES; drawn++) {
    assert.ok(drawn < LINES * 1000, `only ${seen.size} of ${drawn} lines are allowed`);
    const command = lines.next();
    if (!SPECIAL.test(command) || seen.has(command)) continue;
    const call = { tool, participant: "ann", teamId: "t", input: { command } };
    if (evaluateCall(call, rules, { shell: "posix" }).decision !== "allow") continue;
    seen.add(command);
    yield command;
  }
}

/**
 * Whether a program may be started with these words, as known when it runs: by a rule for exactly them, and none that denies
 * them.
 */
function mayStart(words: readonly string[], rules: readonly ApprovalRule[]): boolean {
  const command = words.map(literalWord);
  const patternsOf = (wanted: ApprovalDecision) =>
    rules.flatMap(({ decision, command }) =>
      decision === wanted && command !== undefined ? [parseCommandPattern(command)] : [],
    );
  return (
    patternsOf("allow").some((pattern) => matchesWords(pattern, command)) &&
    !patternsOf("deny").some((pattern) => mightMatchWords(pattern, command))
  );
}

/** Separators in the log of the stubs. */
const [WORD_END, RECORD_END] = ["\x1f", "\x1e"];
const SECRET = "the secret";

/** A scratch folder with the stub programs, and a folder in it in which lines are run. */
class Place {
  readonly #shell: readonly string[];
  readonly #root: string;
  readonly #before: ReadonlyMap<string, string>;

  constructor(t: TestContext, shell: readonly string[], stubs: Readonly<Record<string, number>>) {
    this.#shell = shell;
    this.#root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "gavel-shell-")));
    t.after(() => fs.rmSync(this.#root, { recursive: true, force: true }));
    for (const folder of ["bin", "work/dist"]) fs.mkdirSync(join(this.#root, folder), { recursive: true });
    for (const [name, status] of Object.entries(stubs)) this.#stub(join("bin", name), name, status);
    this.#stub("work/git", "./git", 0);
    for (const name of REAL) {
      const program = ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find((path) => fs.existsSync(path));
      if (program !== undefined) fs.symlinkSync(program, join(this.#root, "bin", name));
    }
    fs.writeFileSync(join(this.#root, "work/secret"), `${SECRET}\n`);
    fs.writeFileSync(join(this.#root, "work", HOSTILE_OPTION), "");
    this.#before = this.#files();
  }

  /** Runs a line and returns the words of every program that was started, with the value of FOO if it was set. */
  run(line: string): readonly (readonly string[])[] {
    for (const name of ["log", "count"]) fs.writeFileSync(join(this.#root, name), name === "log" ? "" : "0\n");
    const [program = "", ...options] = this.#shell;
    const { error } = spawnSync(program, [...options, line], {
      cwd: join(this.#root, "work"),
      env: { PATH: join(this.#root, "bin"), X: `${HOSTILE_OPTION} evil` },
      // The last pipe closes when everything has ended, including background commands.
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    assert.equal(error, undefined, `${program} did not end for ${JSON.stringify(line)}`);
    const records = fs.readFileSync(join(this.#root, "log"), "utf8").split(RECORD_END).slice(0, -1);
    return records.map((record) => record.split(WORD_END).slice(1));
  }

  /** The files that were changed, except those in `dist/`. */
  changed(): string[] {
    const now = this.#files();
    return [...new Set([...this.#before.keys(), ...now.keys()])].filter(
      (path) => this.#before.get(path) !== now.get(path),
    );
  }

  #files(): Map<string, string> {
    const entries = fs.readdirSync(this.#root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.#root.length + 1));
    const watched = files.filter((path) => !/^(?:bin\/|work\/dist\/|log$|count$)/.test(path));
    return new Map(watched.map((path) => [path, fs.readFileSync(join(this.#root, path), "utf8")]));
  }

  /**
   * A program that records its words and prints a forbidden command. After many starts its status alternates, which ends
   * loops.
   */
  #stub(path: string, name: string, status: number): void {
    const text = `#!/bin/sh
IFS= read -r line 2>/dev/null
[ "$line" = "${SECRET}" ] && set -- "reads the secret" "$@"
read -r count <'${this.#root}/count'
echo "$((count + 1))" >'${this.#root}/count'
IFS='${WORD_END}'
log() { printf '%s${RECORD_END}' "$*" >>'${this.#root}/log'; }
log "" \${FOO+"FOO=$FOO"} ${name} "$@"
${name === "sudo" ? 'exec "$@"' : "echo evil"}
[ "$count" -lt 40 ] || exit "$((count / 7 % 2))"
exit ${status}
`;
    fs.writeFileSync(join(this.#root, path), text, { mode: 0o755 });
  }
}
