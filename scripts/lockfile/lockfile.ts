/** The part of package-lock.json that is read here. */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The name of the package at a place in the tree, such as `node_modules/a/node_modules/@b/c`. */
export function nameOf(place: string): string {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** The entries of packages that `npm ci` would install without checking what it gets. */
export function unverified({ packages }: Lockfile): readonly string[] {
  return Object.entries(packages)
    .filter(
      ([place, { integrity, link }]) => place !== "" && link !== true && integrity?.startsWith("sha512-") !== true,
    )
    .map(([place]) => place);
}

/** What is wrong with a lock file: sentences. */
export function lockfileProblems(lock: Lockfile): string[] {
  const missing = unverified(lock).map((place) => `${place} has no integrity.`);
  const addresses = Object.entries(lock.packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([place]) => `${place} has an address: remove "resolved", so that every registry can serve it.`);
  return [...missing, ...addresses];
}
