import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../workspace/workspace.ts";
import type { SandboxFiles, SandboxLayout } from "./sandbox-layout.ts";

/** Where the proxy's socket is in the sandbox. */
export const PROXY_SOCKET = "/run/gavel-proxy";

/** Folders that a command gets empty or its own of; nothing in them has to be hidden. */
const FRESH = ["/dev", "/proc", "/run", "/tmp", "/var/tmp"];

/** What of /run a command needs: NixOS keeps its programs there. The rest are sockets of services outside the sandbox. */
const KEPT_OF_RUN = ["/run/current-system", "/run/booted-system", "/run/wrappers", "/run/opengl-driver"];

/** What of /proc changes the whole system: root writes it without capabilities, and bubblewrap leaves it writable then. */
const SYSTEM = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/scsi"];

/** Those with which root reads and writes files of other users; a command has no others. */
const FILE_CAPABILITIES = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID"];

export interface BubblewrapOptions {
  readonly layout: SandboxLayout;
  readonly files: SandboxFiles;
  /** The working directory. */
  readonly cwd: string;
  /** True for root in a workspace of another user. */
  readonly needsFileCapabilities: boolean;
}

/**
 * The options of bubblewrap for one command, without the command. Everything is read-only but what the layout lets it write;
 * there are no other processes, and no network but the sandbox's own loopback.
 */
export async function bubblewrapOptions(options: BubblewrapOptions): Promise<readonly string[]> {
  const { layout, files, cwd, needsFileCapabilities } = options;
  const { writable, readOnly, hidden, sockets, replaced } = layout;
  const shown = layout.shown.filter((path) => FRESH.some((folder) => isWithin(folder, path)));
  const isInWritable = (path: string) => writable.some((folder) => isWithin(folder, path));
  const isFresh = (path: string) =>
    FRESH.some((folder) => isWithin(folder, path)) && !shown.some((folder) => isWithin(folder, path));
  const absent = hidden.filter((path) => !isInWritable(path) && !isFresh(path));
  const rebuilt = await rebuiltFolders(absent);
  const masked = hidden.filter((path) => isInWritable(path) || (!isFresh(path) && dirname(path) === "/"));
  const reachable = sockets.filter(
    (path) => (isInWritable(path) || !isFresh(path)) && !isLeftOut(path, { hidden, rebuilt }),
  );
  const masks = await Promise.all(masked.map((path) => mask(path, files.unreadable)));
  return [
    ...["--info-fd", "4", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--cap-drop", "ALL"],
    ...(needsFileCapabilities ? FILE_CAPABILITIES.flatMap((capability) => ["--cap-add", capability]) : []),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"],
    ...SYSTEM.flatMap((path) => ["--ro-bind-try", path, path]),
    ...KEPT_OF_RUN.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--bind", files.temp, "/tmp", "--bind-try", files.temp, "/var/tmp"],
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ...rebuilt.flatMap(({ options: entries }) => entries),
    ...writable.flatMap((path) => ["--bind-try", path, path]),
    ...readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
    ...replaced.flatMap(({ path, content }) => ["--ro-bind", content, path]),
    ...masks.flat(),
    ...reachable.flatMap((path) => ["--ro-bind", files.unreadable, path]),
    ...["--ro-bind", files.proxySocket, PROXY_SOCKET],
    // Last: bubblewrap creates the places to mount on as it goes.
    ...rebuilt.flatMap(({ folder }) => ["--remount-ro", folder]),
    ...["--remount-ro", "/run", "--chdir", cwd],
  ];
}

interface RebuiltFolder {
  readonly folder: string;
  readonly options: readonly string[];
}

/** True for a socket that is not there anyway. */
function isLeftOut(
  path: string,
  { hidden, rebuilt }: { readonly hidden: readonly string[]; readonly rebuilt: readonly RebuiltFolder[] },
): boolean {
  return hidden.some((folder) => isWithin(folder, path)) || rebuilt.some(({ folder }) => folder === dirname(path));
}

/** Folders made again without the paths that must be absent, those above others first. */
async function rebuiltFolders(absent: readonly string[]): Promise<readonly RebuiltFolder[]> {
  const gone = new Set(absent);
  const folders = [...new Set(absent.map((path) => dirname(path)))]
    .filter((folder) => folder !== "/" && !absent.some((path) => isWithin(path, folder)))
    .sort((one, other) => one.length - other.length);
  return Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true });
      const kept = entries.filter(({ name }) => !gone.has(join(folder, name)));
      const options = await Promise.all(kept.map((entry) => keptEntry(folder, entry)));
      return { folder, options: ["--perms", "0755", "--tmpfs", folder, ...options.flat()] };
    }),
  );
}

/** Sockets and pipes are left out: they lead to processes outside the sandbox. */
async function keptEntry(folder: string, entry: Dirent): Promise<readonly string[]> {
  const path = join(folder, entry.name);
  if (entry.isSymbolicLink()) return ["--symlink", await readlink(path), path];
  return entry.isFile() || entry.isDirectory() ? ["--ro-bind-try", path, path] : [];
}

/** A folder that can be written cannot be made again, so what is hidden in it keeps its name and loses its content. */
async function mask(path: string, unreadable: string): Promise<readonly string[]> {
  const isFolder = await readdir(path).then(
    () => true,
    () => false,
  );
  return isFolder ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", unreadable, path];
}
