import assert from "node:assert/strict";
import { test } from "node:test";
import { redactedText } from "./redacted-text.ts";

const known = { home: "/home/jane", folders: ["/home/jane/secret-project"], user: "jane", own: ["gavel.runTeam"] };

test("nothing of these is in a report", () => {
  const planted = [
    "sk-abcdefghijklmnop",
    "ghp_0123456789abcdef",
    "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "https://user:pass@models.corp.example/v1?key=1",
    "models.corp.example:8443",
    "models.corp.example",
    "10.1.2.3:8080",
    "[fe80::1]:8080",
    "localhost:11434",
    "jane@corp.example",
    "/home/jane/secret-project/src/a.ts",
    "/home/jane/.ssh/id_rsa",
    "/etc/corp/settings",
    "C:\\Users\\jane\\a.ts",
    "jane",
  ];
  for (const secret of planted) {
    const said = redactedText(`The request to ${secret} failed (ECONNREFUSED), after 3 attempts.`, known);
    for (const part of secret.split(/[^\w]+/).filter((word) => word.length > 3 && word !== "https" && word !== "Users"))
      assert.ok(!said.includes(part), `${secret}: ${said}`);
    assert.match(said, /^The request to .*\(ECONNREFUSED\), after 3 attempts\.$/);
  }
});

test("what a line quotes is left out, as it may be a message or a name", () => {
  assert.equal(
    redactedText('Team "Payroll" asked `curl x`, and “fire Bob” was said.', known),
    "Team (text) asked (text), and (text) was said.",
  );
});

test("what helps to find the problem stays", () => {
  const line =
    "Host started: process 4711, Node v24.21.0, linux, protocol 1, for Visual Studio Code 1.139.1 with 2 folders.";
  assert.equal(redactedText(line, known), line);
  assert.equal(redactedText("Command gavel.runTeam.", known), "Command gavel.runTeam.");
  assert.equal(redactedText("team/run failed after 12 ms: TeamBusy", known), "team/run failed after 12 ms: TeamBusy");
});

test("a text whose quotation mark is not closed in the line is left out too", () => {
  assert.equal(redactedText('The model said "fire Bob, and then', known), "The model said (text)");
  assert.equal(redactedText("Asked `curl corp", known), "Asked (text)");
  assert.equal(redactedText("It said “fire Bob", known), "It said (text)");
});

test("a path with spaces is left out whole, as systems write it in their errors", () => {
  const windows = {
    ...known,
    home: "C:\\Users\\Jane Roe",
    folders: ["c:\\Users\\Jane Roe\\Top Secret"],
    user: "Jane Roe",
  };
  const mac = { ...known, home: "/Users/jane", folders: ["/Volumes/Corp Disk/Top Secret"] };
  const planted = [
    [mac, "ENOENT: no such file or directory, open '/Users/jane/Library/Bid Offer.txt'"],
    [
      mac,
      "EACCES: permission denied, rename '/Volumes/Corp Disk/Top Secret/a b' -> '/Volumes/Corp Disk/Top Secret/Bid Offer'",
    ],
    [windows, "The file c:\\Users\\Jane Roe\\AppData\\x was not read."],
    [windows, "The file C:\\users\\jane roe\\Top Secret\\x was not read."],
    [windows, "The file C:/Users/Jane Roe/Top Secret/x was not read."],
    [windows, "EPERM: operation not permitted, open '\\\\corp\\Bid Offer\\x'"],
    [windows, "The file \\\\corp\\share\\x was not read."],
  ] as const;
  for (const [of, line] of planted)
    assert.doesNotMatch(redactedText(line, of), /Bid|Offer|Corp|Roe|Secret|AppData|share/i, line);
});

test("a key may have the characters of Base64", () => {
  assert.equal(redactedText("Refused: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.", known), "Refused: (key).");
});
