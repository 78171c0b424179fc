import { closingLine, runTests } from "./run-tests.ts";

// The soak test of `npm test` for as many minutes as its argument says, 20 without one: teams are used and deleted in one
// host, whose memory has a limit.
const minutes = Number(process.argv[2] ?? 20);
if (!(minutes > 0)) throw new Error("Give the number of minutes, such as `npm run soak -- 60`.");
process.env["SOAK_MINUTES"] = String(minutes);

const limit = minutes * 60 + 600;
const counts = await runTests(["test/faults/soak.test.ts"], { atOnce: 1, testLimit: limit, fileLimit: limit });
console.log(`\n${closingLine(counts)}`);
if (counts.failed > 0) process.exitCode = 1;
