import { readFile } from "node:fs/promises";

const LISTENS = "0A";
/** As the kernel writes them: 127.0.0.1, 0.0.0.0, ::1, :: and ::ffff:127.0.0.1. */
const LOCAL = new Set([
  "0100007F",
  "00000000",
  "00000000000000000000000001000000",
  "00000000000000000000000000000000",
  "0000000000000000FFFF00000100007F",
]);
/** No more than this many are passed on to a sandboxed command. */
const MAX_PORTS = 256;

/** The ports at which programs listen on the loopback of this machine (Linux), in order. */
export async function listeningPorts(): Promise<readonly number[]> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const ports = tables.flatMap((table) => table.split("\n").slice(1).flatMap(portIn));
  return [...new Set(ports)].sort((one, other) => one - other).slice(0, MAX_PORTS);
}

/** The port of a line such as `0: 0100007F:1F90 00000000:0000 0A …`, if a program listens there. */
function portIn(line: string): readonly number[] {
  const [, local = "", , state] = line.trim().split(/\s+/);
  const [address = "", port = ""] = local.split(":");
  return state === LISTENS && LOCAL.has(address) ? [Number.parseInt(port, 16)] : [];
}
