import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxFailure } from "./sandbox-failure.ts";

const failed = (output: string, refused: readonly string[] = []): string | undefined =>
  sandboxFailure({ output, refused, hidden: ["/home/a/.ssh", "/w/.env"], home: "/home/a" });

test("the sandbox is named as the cause where the output shows it", () => {
  const cases: readonly (readonly [output: string, refused: readonly string[], reason: RegExp])[] = [
    ["bwrap: Can't mkdir /x: Permission denied", [], /could not be set up \(bwrap: Can't mkdir/],
    ["npm error code E403", ["registry.npmjs.org:443"], /may not connect to registry\.npmjs\.org, /],
    ["connect to b failed", ["a:80", "b:443", "c:8080"], /may not connect to a, b and 1 more, /],
    ["touch: cannot touch 'x': Read-only file system", [], /may write only to the workspace/],
    ["mv: cannot move: Device or resource busy", [], /may write only to the workspace/],
    ["Error: getaddrinfo EAI_AGAIN example.com", [], /may connect only to this machine/],
    ["ssh: Could not resolve hostname github.com: Temporary failure in name resolution", [], /may connect only/],
    ["cat: /home/a/.ssh/id: No such file or directory", [], /may not read ~\/\.ssh$/],
    ["Error: EACCES: permission denied, open '.env'", [], /may not read \/w\/\.env$/],
  ];
  for (const [output, refused, reason] of cases) assert.match(failed(output, refused) ?? "", reason, output);
});

test("the sandbox is not named for other failures", () => {
  const others = [
    "1 test failed",
    "cat: a.txt: No such file or directory",
    "EACCES: a.env.txt",
    "process.env is not set",
  ];
  for (const output of others) assert.equal(failed(output), undefined, output);
  assert.equal(failed("1 test failed", ["telemetry.example.com:443"]), undefined);
});
