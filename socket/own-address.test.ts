import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import * as z from "zod";
import { frameOf, readFirstFrame } from "./first-frame.ts";
import { joinHost } from "./join-host.ts";
import { isOwnAddress, isOwnFolder } from "./own-address.ts";
import { writeHostPlace } from "./place-file.ts";
import { proofOf } from "./proof.ts";

const skip = process.platform === "win32";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gavel-own-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a process that others could have put at a host's address is told nothing", { skip }, async (t) => {
  const storagePath = folderOf(t);
  const folder = join(storagePath, "sockets");
  mkdirSync(folder, { mode: 0o700 });
  const address = join(folder, "0123456789abcdef01234567");
  let received = 0;
  let knows = true;
  const token = "t".repeat(43);
  const server = createServer(async (socket) => {
    t.after(() => socket.destroy());
    const asked = z.object({ params: z.object({ nonce: z.string() }) });
    const first = await readFirstFrame(socket, { maxSize: 10_000, maxMs: 60_000 });
    received += 1;
    assert.doesNotMatch(JSON.stringify(first), /ttt/);
    const proof = proofOf("host", asked.parse(first).params.nonce, knows ? token : "guessed");
    socket.write(
      frameOf({
        id: 0,
        result: { proof, protocolVersion: 1, gavelVersion: "1.2.3", keepsRunning: false, isBusy: false },
      }),
    );
  }).listen(address);
  t.after(() => server.close());
  await once(server, "listening");
  writeHostPlace(storagePath, { version: 1, address, token, pid: process.pid });

  chmodSync(folder, 0o777);
  assert.equal(await joinHost(storagePath), undefined);
  assert.equal(received, 0);

  chmodSync(folder, 0o700);
  const joined = await joinHost(storagePath);
  assert.equal(joined?.gavelVersion, "1.2.3");
  joined.stream.destroy();

  // One that has taken the place of a killed host is sent a proof that is of no use to it, and is not joined.
  knows = false;
  assert.equal(await joinHost(storagePath), undefined);
});

test("a folder is the user's own without links, and if no one else may use it", { skip }, (t) => {
  const folder = folderOf(t);
  symlinkSync(folder, join(folder, "link"));
  writeFileSync(join(folder, "file"), "");
  assert.equal(isOwnFolder(folder), true);
  assert.equal(isOwnFolder(join(folder, "link")), false);
  assert.equal(isOwnFolder(join(folder, "file")), false);
  assert.equal(isOwnFolder(join(folder, "missing")), false);
  assert.equal(isOwnFolder("/proc/self"), false);
  chmodSync(folder, 0o750);
  assert.equal(isOwnFolder(folder), false);
});

test("an address is a socket with a full path, or a pipe of this computer", { skip }, (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, "file"), "");
  assert.equal(isOwnAddress(join(folder, "file")), false);
  assert.equal(isOwnAddress(join(folder, "missing")), false);
  assert.equal(isOwnAddress("sockets/host"), false);
  assert.equal(isOwnAddress("\\\\.\\pipe\\gavel-0123456789abcdef01234567", "win32"), true);
  assert.equal(isOwnAddress("\\\\elsewhere\\pipe\\gavel-0123456789abcdef01234567", "win32"), false);
  assert.equal(isOwnAddress("\\\\.\\pipe\\other", "win32"), false);
});
