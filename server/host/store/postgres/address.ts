import { storageError } from "../../../../shared/contract/errors.ts";
import type { HostIdentity } from "../host-identity.ts";
import { isPostgres } from "./is-postgres.ts";

/** Where a store on PostgreSQL is, and how it is used. */
export interface PostgresAddress {
  /** What the user knows it by: the server, the database and the space, without the password. */
  readonly name: string;
  readonly url: string;
  /** The schema of the database with the store's tables. */
  readonly schema: string;
  /** How long a host that does not renew it has its teams, in milliseconds. */
  readonly lease: number;
  /** Why what is sent could be read on the way; undefined where it cannot be, or does not leave the computer. */
  readonly warning: string | undefined;
}

/** What the thread starts with that writes the store. */
export interface PostgresStart {
  /** Kept when the thread is replaced. */
  readonly host: HostIdentity;
  readonly address: PostgresAddress;
}

/** In seconds. */
const LEASE = 10;
const [SHORTEST, LONGEST] = [1, 600];

/** What else an address may have, in the meaning of libpq: another parameter could lead elsewhere. */
const TLS_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
/** With these the server's certificate is checked. */
const SAFE_MODES = ["require", "verify-ca", "verify-full"];

const SPACE = /^[a-z][a-z0-9_]{0,39}$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the address of a store: `postgres://user:password@host:port/database`, with `space` (the name of what is shared,
 * `gavel` if left out), `lease` (seconds) and `sslmode` (see libpq) as parameters.
 * @throws GavelError `StorageError` for one that cannot be used; it does not repeat the password.
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = URL.parse(text);
  if (url === null || !isPostgres(text) || url.hostname === "")
    throw storageError("The store is not an address like postgres://user:password@host:5432/database; correct it.");
  const { searchParams: parameters, hostname, port, pathname } = url;
  const space = parameters.get("space") ?? "gavel";
  const seconds = Number(parameters.get("lease") ?? LEASE);
  const mode = parameters.get("sslmode");
  parameters.delete("space");
  parameters.delete("lease");
  const name = `${hostname}:${port || "5432"}${pathname === "/" ? "" : pathname} (space "${space}")`;
  if (!SPACE.test(space))
    throw storageError(
      `The space "${space}" of the store is not a name; use up to 40 small letters, digits and underscores, a letter first.`,
    );
  if (!(seconds >= SHORTEST && seconds <= LONGEST))
    throw storageError(`The lease of the store ${name} is not a number of seconds from ${SHORTEST} to ${LONGEST}.`);
  const other = [...parameters.keys()].find((parameter) => !TLS_PARAMETERS.includes(parameter));
  if (other !== undefined)
    throw storageError(`The address of the store ${name} has the parameter "${other}", which is not known; remove it.`);
  const isPlain = mode === null || !SAFE_MODES.includes(mode);
  const warning =
    isPlain && !LOOPBACK.test(hostname)
      ? `The store ${name} is reached without TLS that is checked: what your teams say and do can be read on the way. Add sslmode=verify-full to its address.`
      : undefined;
  return {
    name,
    url: url.href,
    schema: space === "gavel" ? "gavel" : `gavel_${space}`,
    lease: seconds * 1000,
    warning,
  };
}
