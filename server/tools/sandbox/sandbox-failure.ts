import { basename } from "node:path";

/** What is known of a sandboxed command that failed. */
interface FailedCommand {
  readonly output: string;
  /** The hosts that its proxy refused, as `host:port`. */
  readonly refused: readonly string[];
  /** The absolute paths that it did not find. */
  readonly hidden: readonly string[];
  readonly home: string;
}

const READ_ONLY = /read-only file system|device or resource busy|\b(?:EROFS|EBUSY)\b/i;
const NO_NETWORK =
  /network is unreachable|could(?: not|n't) resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|\b(?:EAI_AGAIN|ENETUNREACH|ENOTFOUND)\b|failed to lookup address|no such host/i;
const NOT_FOUND = /no such file|permission denied|operation not permitted|\b(?:ENOENT|EACCES|EPERM)\b/i;

/** Why a command failed, if it looks as if the sandbox was the cause, as a clause that starts with "it". */
export function sandboxFailure({ output, refused, hidden, home }: FailedCommand): string | undefined {
  const setUp = /^bwrap: .*$/m.exec(output)?.[0];
  if (setUp !== undefined) return `it could not be set up (${setUp.slice(0, 200)})`;
  if (refused.length > 0 && refusedMatters(output, refused)) {
    return `it may not connect to ${listed(refused)}, which the setting gavel.sandbox.allowedHosts does not allow`;
  }
  if (READ_ONLY.test(output)) {
    return "it may write only to the workspace, temporary files and package caches, and not to files that lead to execution";
  }
  if (NO_NETWORK.test(output)) {
    return "it may connect only to this machine and to the hosts in the setting gavel.sandbox.allowedHosts";
  }
  const lines = output.split("\n").filter((line) => NOT_FOUND.test(line));
  const missing = hidden.find((path) => lines.some((line) => mentions(line, path, home)));
  return missing === undefined ? undefined : `it may not read ${missing.replace(`${home}/`, "~/")}`;
}

/** A program may try a host and go on without it; then the failure is another one. */
function refusedMatters(output: string, refused: readonly string[]): boolean {
  return (
    NO_NETWORK.test(output) ||
    /\bE?403\b|forbidden|proxy|tunnel/i.test(output) ||
    refused.some((host) => output.includes(host.replace(/:\d+$/, "")))
  );
}

function mentions(line: string, path: string, home: string): boolean {
  if (line.includes(path) || line.includes(path.replace(`${home}/`, "~/"))) return true;
  const name = basename(path);
  const at = line.indexOf(name);
  if (at < 0) return false;
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}._-]/u.test(char);
  return !isPart(line[at - 1]) && !isPart(line[at + name.length]);
}

function listed(hosts: readonly string[]): string {
  const names = hosts.map((host) => host.replace(/:(?:80|443)$/, ""));
  const [first = "", second, ...rest] = [...new Set(names)];
  if (second === undefined) return first;
  return rest.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${rest.length} more`;
}
