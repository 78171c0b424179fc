/** A path as the contract has it: left out where it leads nowhere. */
export const pathField = (path: readonly string[] | undefined): { path?: string[] } =>
  path === undefined || path.length === 0 ? {} : { path: [...path] };
