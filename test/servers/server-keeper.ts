import { spawn } from "node:child_process";

/**
 * A process of its own that runs a server, and ends it when its standard input does: when the process of the tests is gone,
 * however that ended. Its arguments are the program of the server with its own; "uid=N" before them is its user.
 */
const [, , ...given] = process.argv;
const uid = given[0]?.startsWith("uid=") === true ? Number(given.shift()?.slice(4)) : undefined;
const [program = "", ...args] = given;
const server = spawn(program, args, { stdio: "inherit", ...(uid === undefined ? {} : { uid, gid: uid }) });
server.on("exit", (code) => process.exit(code ?? 1));
process.stdin.resume().on("end", () => server.kill("SIGQUIT"));
