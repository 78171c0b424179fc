import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type RandomInt, seededRandom } from "../../server/engine/testing/random.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import type { HostClient } from "../host-client.ts";
import { fillStore, type StoredView, viewStore } from "./harness/stored-view.ts";

/** How many bits are flipped, each in a store of its own. */
const FLIPS = Number(process.env["FAULT_FLIPS"] ?? 12);
/** Printed with the test. The same seed damages the same places. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** A copy of a store that a host has left. */
function copyOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true });
  return to;
}

/** Nothing is different from what was stored, or the user was told; no event is other than it was stored. */
function assertNoticed(seen: StoredView, stored: StoredView, damage: string): void {
  const { told, ...view } = seen;
  const { told: nothing, ...before } = stored;
  assert.deepEqual(nothing, []);
  if (isDeepStrictEqual(view, before)) return;
  assert.notDeepEqual(told, [], `${damage}: a difference that the user was not told of`);
  for (const [teamId, { events }] of Object.entries(seen.teams)) {
    const known = new Map(stored.teams[teamId]?.events.map((event) => [event.seq, event]));
    for (const event of events) {
      // What was in progress when the last events were lost is closed when the team is opened.
      const isNew = event.at > (stored.teams[teamId]?.events.at(-1)?.at ?? "");
      if (event.type !== "error" && !isNew)
        assert.deepEqual(event, known.get(event.seq), `${damage}: another event of ${teamId}`);
    }
  }
}

/** A store with one bit changed in one of its files. */
function flip(path: string, random: RandomInt): string {
  const bytes = readFileSync(path);
  const [at, bit] = [random(bytes.length), random(8)];
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  writeFileSync(path, bytes);
  return `bit ${bit} of byte ${at} of ${bytes.length} of ${basename(path)}`;
}

function cut(path: string, random: RandomInt): string {
  const { size } = statSync(path);
  const length = random(size);
  truncateSync(path, length);
  return `${basename(path)} cut from ${size} to ${length} bytes`;
}

type Damage = readonly [times: number, what: string, damage: (path: string, random: RandomInt) => string];

function itIsNoticed(end: (host: HostClient) => Promise<unknown>, damages: readonly Damage[]): void {
  const scratch = new Scratch();
  const folder = join(scratch.path, "whole");
  let stored: StoredView;
  before(async () => {
    await fillStore(folder, end);
    stored = await viewStore(copyOf(folder, join(scratch.path, "opened")));
  });
  after(() => scratch[Symbol.dispose]());
  for (const [times, what, damage] of damages) {
    it(`is as it was, or the user is told: ${times === 1 ? "" : `${times} times `}${what} (seed ${SEED})`, async () => {
      const random = seededRandom(SEED);
      for (let nth = 0; nth < times; nth++) {
        using copies = new Scratch();
        const damaged = copyOf(folder, join(copies.path, "damaged"));
        const how = damage(join(damaged, "gavel.db"), random);
        assertNoticed(await viewStore(damaged), stored, how);
      }
    });
  }
}

describe("a store that was closed", () => {
  itIsNoticed(
    (host) => host.shutdown(),
    [
      [FLIPS, "with one bit flipped", flip],
      [Math.ceil(FLIPS / 4), "truncated", cut],
      [1, "with a length of 0", (path) => cut(path, () => 0)],
    ],
  );
});

describe("a store whose host was killed", () => {
  const log = (path: string): string => `${path}-wal`;
  itIsNoticed(
    (host) => host.kill(),
    [
      [Math.ceil(FLIPS / 4), "with one bit of its write-ahead log flipped", (path, random) => flip(log(path), random)],
      [Math.ceil(FLIPS / 4), "with its write-ahead log cut", (path, random) => cut(log(path), random)],
      [
        1,
        "without its write-ahead log",
        (path) => {
          rmSync(log(path));
          return "no log";
        },
      ],
      [
        1,
        "without its database",
        (path) => {
          rmSync(path);
          return "no database";
        },
      ],
    ],
  );
});
