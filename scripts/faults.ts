import { availableParallelism } from "node:os";
import { shareNats } from "../test/servers/nats.ts";
import { sharePostgres } from "../test/servers/postgres.ts";
import { root } from "./root.ts";
import { closingLine, runTests } from "./run-tests.ts";
import { sourceFiles } from "./source-files.ts";

// The randomized and exhaustive tests of `npm test` with larger draws: every variant of an interrupt at every event
// of the recorded teams, a thousand kills of a host with eight teams, disks, clocks, clients and endpoints that fail,
// damaged stores, links to workers and hosts of several machines that fail, command lines in real shells, and changed
// requests. Not part of `npm test`, because it takes long. Arguments filter the test files by path.
process.env["REPLAY_ALL"] = "1";
process.env["SHELL_LINES"] ??= "1000";
process.env["HOSTILE_REQUESTS"] ??= "70000";
process.env["FAULT_KILLS"] ??= "1000";
process.env["FAULT_DRAWS"] ??= "200";
process.env["FAULT_DISKS"] ??= "100";
process.env["FAULT_CLIENTS"] ??= "100";
process.env["FAULT_CLOCKS"] ??= "50";
process.env["FAULT_ROUNDS"] ??= "50";
process.env["FAULT_ACTS"] ??= "5000";
process.env["FAULT_FLIPS"] ??= "500";
process.env["LINK_DRAWS"] ??= "500";
process.env["HOST_DRAWS"] ??= "500";

const filters = process.argv.slice(2);
const files = [
  ...["test/faults", "test/replay", "test/link"].flatMap((folder) => sourceFiles(root, folder)),
  "test/hosts/faults.test.ts",
  "test/hostile/real-shells.test.ts",
  "test/hostile/requests.test.ts",
].filter((file) => /\.test\.ts$/.test(file) && (filters.length === 0 || filters.some((part) => file.includes(part))));
// Without a NATS server, or PostgreSQL, those that need it are left out, which this says.
const stops = [await shareNats(), await sharePostgres()];
const counts = await runTests(files, { atOnce: availableParallelism(), testLimit: 3600, fileLimit: 7200 });
for (const stop of stops) await stop?.();
console.log(`\n${closingLine(counts)}`);
if (counts.failed > 0) process.exitCode = 1;
