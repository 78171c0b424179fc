import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { frameOf } from "../../../socket/first-frame.ts";
import { joinHost } from "../../../socket/join-host.ts";
import { readHostPlace, writeHostPlace } from "../../../socket/place-file.ts";
import { proofOf } from "../../../socket/proof.ts";
import { HostSocket } from "./host-socket.ts";
import { newSocketAddress } from "./socket-address.ts";

const isBusy = (): boolean => false;

function storageOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gavel-socket-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function listening(t: TestContext, storagePath = storageOf(t)) {
  const accepted: Socket[] = [];
  const accept = (stream: Socket): void => void accepted.push(stream);
  const socket = await HostSocket.open({ storagePath, gavelVersion: "1.2.3", isBusy, accept });
  t.after(() => socket?.[Symbol.dispose]());
  const place = readHostPlace(storagePath);
  assert.ok(socket !== undefined && place !== undefined);
  return { storagePath, socket, accepted, place };
}

/** All that is sent to somebody who sends that, until the host hangs up. */
async function answerTo(address: string, sent: string): Promise<string> {
  const socket = connect(address);
  socket.write(sent);
  return (await buffer(socket)).toString();
}

const join1 = (params: object): string => frameOf({ id: 1, method: "host/join", params });

test("a client with the token joins, and what it sends after that is the protocol's", async (t) => {
  const { storagePath, accepted } = await listening(t);
  const joined = await joinHost(storagePath);
  assert.ok(joined !== undefined);
  assert.equal(joined.gavelVersion, "1.2.3");
  joined.stream.write("Content-Length: 2\r\n\r\n{}");
  const [stream] = accepted;
  assert.ok(stream !== undefined);
  const [received] = await once(stream, "data");
  assert.equal(String(received), "Content-Length: 2\r\n\r\n{}");
  joined.stream.destroy();
});

test("a simple client sends the token itself", async (t) => {
  const { place, accepted } = await listening(t);
  const socket = connect(place.address);
  t.after(() => socket.destroy());
  socket.write(join1({ token: place.token, protocolVersion: 1 }));
  assert.match(String((await once(socket, "data"))[0]), /"gavelVersion":"1\.2\.3"/);
  assert.equal(accepted.length, 1);
});

test("without a running host there is none to join, also where one was killed", async (t) => {
  const storagePath = storageOf(t);
  assert.equal(await joinHost(storagePath), undefined);
  const { place, socket } = await listening(t, storagePath);
  socket[Symbol.dispose]();
  assert.equal(readHostPlace(storagePath), undefined);
  writeFileSync(join(storagePath, "host.json"), JSON.stringify(place));
  assert.equal(await joinHost(storagePath), undefined);
  writeFileSync(join(storagePath, "host.json"), "{ damaged");
  assert.equal(await joinHost(storagePath), undefined);
});

test("who does not know the token is sent nothing", async (t) => {
  const { place, accepted, socket } = await listening(t);
  const { token, address } = place;
  const wrong = [
    join1({ token: `${token.slice(0, -1)}!`, protocolVersion: 1 }),
    join1({ token: "", protocolVersion: 1 }),
    join1({ protocolVersion: 1 }),
    join1({ nonce: "n".repeat(43), proof: proofOf("client", "n".repeat(43), "guessed"), protocolVersion: 1 }),
    join1({ nonce: "n".repeat(43), proof: proofOf("host", "n".repeat(43), token), protocolVersion: 1 }),
    frameOf({ id: 1, method: "initialize", params: { token, protocolVersion: 1 } }),
    frameOf({ id: 1, method: "host/join", params: { token: "x".repeat(5_000), protocolVersion: 1 } }),
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "Content-Length: 999999999\r\n\r\n",
    "x".repeat(10_000),
    "Content-Length: 3\r\n\r\n{{{",
  ];
  assert.deepEqual(
    await Promise.all(wrong.map((sent) => answerTo(address, sent))),
    wrong.map(() => ""),
  );
  assert.deepEqual(accepted, []);
  assert.equal(socket.clients, 0);
});

test("a client of another version of the protocol is told so, and does not join", async (t) => {
  const { place, accepted } = await listening(t);
  const answer = await answerTo(place.address, join1({ token: place.token, protocolVersion: 99 }));
  assert.match(answer, /is of Gavel 1\.2\.3 and speaks version 1 of the protocol, this client version 99/);
  assert.deepEqual(accepted, []);
});

test("one host listens for a storage folder at a time, and the next one after it", async (t) => {
  const { storagePath, socket, place } = await listening(t);
  const accept = (): void => {};
  const another = { storagePath, gavelVersion: "1.2.3", isBusy, accept };
  assert.equal(await HostSocket.open(another), undefined);
  assert.deepEqual(readHostPlace(storagePath), place);
  socket[Symbol.dispose]();
  const next = await listening(t, storagePath);
  assert.notEqual(next.place.token, place.token);
});

test("a host that starts beside another one listens, also while that one tries to", async (t) => {
  const storagePath = storageOf(t);
  const path = join(storagePath, "listening.lock");
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM sqlite_master").get();
  await listening(t, storagePath);
});

test("a process that listens keeps others from it until it is killed", {
  skip: process.platform === "win32",
}, async (t) => {
  const storagePath = storageOf(t);
  const options = { storagePath, gavelVersion: "1.2.3" };
  const code = `
    const { HostSocket } = await import(${JSON.stringify(new URL("host-socket.ts", import.meta.url).href)});
    await HostSocket.open({ ...${JSON.stringify(options)}, isBusy: () => false, accept() {} });
    process.stdin.on("end", () => process.exit()).resume();
    console.log("listens");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const killed = readHostPlace(storagePath);
  assert.ok(killed !== undefined);
  assert.equal(killed.pid, child.pid);
  assert.equal(await HostSocket.open({ ...options, isBusy, accept() {} }), undefined);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(await joinHost(storagePath), undefined);
  const { place } = await listening(t, storagePath);
  assert.equal(place.pid, process.pid);
  assert.equal(existsSync(killed.address), false);
});

test("only the user can reach the socket and read where it is", { skip: process.platform === "win32" }, async (t) => {
  const { storagePath, place } = await listening(t);
  assert.equal(statSync(place.address).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(place.address)).mode & 0o777, 0o700);
  assert.equal(statSync(join(storagePath, "host.json")).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(join(storagePath, "host.json"), "utf8"), /"message"/);
});

test("more clients than the limit are refused with a sentence, and those that are there stay", async (t) => {
  const { storagePath, socket } = await listening(t);
  const joined = await Promise.all(Array.from({ length: 64 }, async () => joinHost(storagePath)));
  const refusal = { name: "HostRefusedError", message: /has 64 clients, which is the limit; close one/ };
  await assert.rejects(joinHost(storagePath), refusal);
  assert.equal(socket.clients, 64);
  for (const one of joined) one?.stream.destroy();
});

test("a host that hangs up or says something else is not taken for none", async (t) => {
  const { storagePath, place } = await listening(t);
  const { address } = place;
  for (const answer of ["", "Content-Length: 2\r\n\r\n{}"]) {
    const other = `${address}${answer.length}`;
    const server = createServer((client) => client.end(answer)).listen(other);
    t.after(() => server.close());
    await once(server, "listening");
    writeHostPlace(storagePath, { ...place, address: other });
    await assert.rejects(joinHost(storagePath), { name: "HostRefusedError", message: /runs, but does not answer/ });
  }
});

test("an address is a path that every system takes, or a pipe", { skip: process.platform === "win32" }, (t) => {
  const folder = storageOf(t);
  const foreign = join(folder, "foreign");
  mkdirSync(join(foreign, "gavel"), { recursive: true, mode: 0o755 });
  const given = { platform: "linux", temporary: folder, runtime: undefined };
  assert.match(newSocketAddress(given), /gavel-\d+\/[0-9a-f]{24}$/);
  assert.ok(newSocketAddress({ ...given, runtime: folder }).startsWith(join(folder, "gavel")));
  const long = newSocketAddress({ ...given, temporary: join(folder, "x".repeat(90)) });
  assert.ok(Buffer.byteLength(long) <= 100);
  for (const runtime of ["", "relative", join(folder, "missing"), "/proc/missing", foreign])
    assert.equal(dirname(newSocketAddress({ ...given, runtime })), join(folder, `gavel-${process.geteuid?.()}`));
  assert.match(newSocketAddress({ ...given, platform: "win32" }), /^\\\\\.\\pipe\\gavel-[0-9a-f]{24}$/);
});
