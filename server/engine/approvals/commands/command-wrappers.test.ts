import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseShell } from "../shell/shell-parser.ts";
import { runsItsArguments, unwrapCommand } from "./command-wrappers.ts";

/** What a command runs: its commands (`?` marks words known only at run time), or its script, or why neither is known. */
function unwrapped(command: string): string | undefined {
  const words = parseShell(command).commands.at(-1)?.words ?? [];
  const result = unwrapCommand(words);
  if (result === undefined) return undefined;
  const { commands = [], script, transparent, exactOnly, opaque } = result;
  return [
    ...(transparent ? ["only"] : []),
    ...commands.map((one) => one.map(({ text, dynamic }) => text + (dynamic ? "?" : "")).join(" ")),
    ...(script === undefined ? [] : [`"${script}"`]),
    ...(exactOnly === undefined ? [] : [`exactly: ${exactOnly}`]),
    ...(opaque === undefined ? [] : [`opaque: ${opaque}`]),
  ].join(", ");
}

const OPTIONS = "exactly: its options change what it runs";
const FROM_INPUT = "(what xargs reads)?";

describe("the commands that a command runs", () => {
  const commands: Readonly<Record<string, string | undefined>> = {
    a: undefined,
    "git status": undefined,
    toString: undefined,
    // Wrappers that only run another command.
    ...Object.fromEntries(
      ["time", "nohup", "setsid", "command", "builtin", "exec", "nice", "env"].flatMap((name) => [
        [`${name} a b`, "only, a b"],
        [`/usr/bin/${name} a b`, "only, a b"],
        [`/bin/${name} a b`, "only, a b"],
        [`/opt/usr/bin/${name} a b`, undefined],
        [`./${name} a b`, undefined],
        [`${name}`, undefined],
        [`${name} -x a`, OPTIONS],
        [`${name} +x a`, OPTIONS],
        [`${name} $X a`, OPTIONS],
      ]),
    ),
    "env X=1 a": "only, X=1 a",
    // Wrappers that run a command as another user.
    ...Object.fromEntries(
      ["sudo", "doas"].flatMap((name) => [
        [`${name} a b`, "a b"],
        [name, undefined],
        [`${name} -u x a`, OPTIONS],
        [`${name} $X a`, OPTIONS],
      ]),
    ),
    timeout: undefined,
    "timeout 5": OPTIONS,
    "timeout 5 a b": "only, a b",
    "timeout 0.5s a": "only, a",
    "timeout 1m timeout 1h timeout 1d a": "only, timeout 1h timeout 1d a",
    "timeout 1h a": "only, a",
    "timeout 1d a": "only, a",
    "timeout 5x a": OPTIONS,
    "timeout 5ss a": OPTIONS,
    "timeout x5 a": OPTIONS,
    "timeout 5$X a": OPTIONS,
    "timeout 5* a": OPTIONS,
    "timeout [5] a": OPTIONS,
    "timeout -k 1 5 a": OPTIONS,
    xargs: undefined,
    "xargs a b": `only, a b ${FROM_INPUT}`,
    "xargs -0 -r -t a": `only, a ${FROM_INPUT}`,
    "xargs --null --no-run-if-empty a": `only, a ${FROM_INPUT}`,
    "xargs -n 10 -P2 -L34 a": `only, a ${FROM_INPUT}`,
    "xargs -n1 -P 2 -L 3 a": `only, a ${FROM_INPUT}`,
    "xargs -n": OPTIONS,
    "xargs -n a b": OPTIONS,
    "xargs -n 1a b": OPTIONS,
    "xargs -n a1 b": OPTIONS,
    "xargs -I {} a": OPTIONS,
    "xargs -I 1 a": OPTIONS,
    "xargs -xn 1 a": OPTIONS,
    "xargs -nx 1 a": OPTIONS,
    "xargs -x-0 a": OPTIONS,
    "xargs -0x a": OPTIONS,
    "xargs -$X a": OPTIONS,
    "xargs $X a": OPTIONS,
    "xargs -[0] a": OPTIONS,
    "find . -name a": undefined,
    "find . -exec a b {} \\;": "a b {}?",
    "find . -exec a b {} +": "a b {}?",
    "find . -exec a x{}y \\;": "a x{}y?",
    "find . -exec a + b \\;": "a + b",
    "find . -exec a {} b \\;": "a {}? b",
    "find . -exec a \\; -execdir b \\; -ok c \\; -okdir d \\;": "a, b, c, d",
    "find . -exec a": "exactly: `-exec` is not terminated",
    "find . -exec a +": "exactly: `-exec` is not terminated",
    "find \\; -exec a": "exactly: `-exec` is not terminated",
    "find $X": "exactly: the arguments of `find` are only known at run time",
    "find . $X b": "exactly: the arguments of `find` are only known at run time",
    "find . -name {}": undefined,
    ...Object.fromEntries(
      ["-delete", "-fprint x", "-fprint0 x", "-fprintf x y", "-fls x"].map((action) => [
        `find . ${action}`,
        "exactly: `find` itself deletes or writes files",
      ]),
    ),
    "find . -name x-delete -path -deletes": undefined,
    ...Object.fromEntries(
      ["sh", "bash", "dash"].flatMap((name) => [
        [name, undefined],
        [`${name} x`, undefined],
        [`${name} -e x`, undefined],
        [`${name} x -c y`, undefined],
        [`${name} -c 'a b'`, 'only, "a b"'],
        [`${name} -c 'a' x y`, 'only, "a"'],
        [`${name} -euxlc 'a'`, 'only, "a"'],
        [`${name} -cexul 'a'`, 'only, "a"'],
        [`${name} -e -c -x 'a'`, 'only, "a"'],
        [`${name} -c $X`, OPTIONS],
        [`${name} -c "a $X"`, OPTIONS],
        [`${name} -c`, `exactly: \`${name}\` is given no script`],
        [`${name} -ic a`, OPTIONS],
        [`${name} -i`, OPTIONS],
        [`${name} +x a`, OPTIONS],
        [`${name} -`, OPTIONS],
        [`${name} - -c a`, OPTIONS],
        [`${name} -- x`, OPTIONS],
        [`${name} --rcfile x -c a`, OPTIONS],
        [`${name} -x-c a`, OPTIONS],
        [`${name} $X`, OPTIONS],
        [`${name} -e$X`, OPTIONS],
        [`${name} -[e]c a`, OPTIONS],
      ]),
    ),
    ...Object.fromEntries(
      ["zsh", "ksh"].flatMap((name) => [
        [`${name} x`, undefined],
        [`${name} x-c`, undefined],
        [`${name} -fic a`, `exactly: \`${name}\` has its own syntax`],
        [`${name} -x -c a`, `exactly: \`${name}\` has its own syntax`],
        [`${name} $X`, `exactly: \`${name}\` has its own syntax`],
      ]),
    ),
    "eval a 'b c'": '"a b c", opaque: `eval` runs text as commands',
    "trap 'a b' EXIT": '"a b EXIT", opaque: `trap` runs text as commands',
  };
  for (const [command, expected] of Object.entries(commands))
    it(command, () => assert.equal(unwrapped(command), expected));
});

it("a program that may run its arguments is known in any folder and case, and with a program's extension", () => {
  for (const name of [
    "sudo",
    "/opt/bin/sudo",
    "SUDO",
    "npx.cmd",
    "C:\\x\\cmd.exe",
    "ssh",
    "docker",
    "eval",
    "trap",
    "systemd-run",
    "choom",
  ])
    assert.equal(runsItsArguments(name), true, name);
  for (const name of ["git", "sudox", "xsudo", "", "sudo/x"]) assert.equal(runsItsArguments(name), false, name);
});
