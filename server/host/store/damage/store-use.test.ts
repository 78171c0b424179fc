import assert from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Store } from "../store.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { StoreUse } from "./store-use.ts";

const onPosix = { skip: process.platform === "win32" && "files have no permissions" };

it(
  "a host that starts while another one checks the store waits for that, and is seen to use the store",
  onPosix,
  async (t) => {
    using folder = new ScratchFolder();
    const path = join(folder.path, "gavel.db-use");
    const checking = new DatabaseSync(path);
    checking.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    chmodSync(path, 0o644);
    using store = new Store(folder.path);
    const ready = store.ready();
    // Its next step after this is to look at the lock.
    while ((statSync(path).mode & 0o777) !== 0o600) await setImmediate(undefined, { signal: t.signal });
    checking.close();
    await ready;

    using next = new StoreUse(folder.path);
    assert.equal(
      next.alone(() => "repaired"),
      undefined,
    );
  },
);
