/** What a sandboxed command finds on the disk. All paths are absolute, exist, and have their links resolved. */
export interface SandboxLayout {
  /** Folders that it may write: the workspace's roots and package caches. Everything else is read-only. */
  readonly writable: readonly string[];
  /** Files and folders within those that it may only read. */
  readonly readOnly: readonly string[];
  /** Files and folders that it does not find: absent where the system allows it, otherwise empty and unreadable. */
  readonly hidden: readonly string[];
  /** Sockets of programs outside the sandbox, which it may not connect to. */
  readonly sockets: readonly string[];
  /** Files that it finds with the content of another one. */
  readonly replaced: readonly { readonly path: string; readonly content: string }[];
  /** Folders that it finds even if they are in a folder for temporary files. */
  readonly shown: readonly string[];
}

/** The private files of one sandboxed command. */
export interface SandboxFiles {
  /** Its folder for temporary files. */
  readonly temp: string;
  /** An empty file that no one may read. */
  readonly unreadable: string;
  /** The socket of the proxy that lets it connect to allowed hosts. */
  readonly proxySocket: string;
}
