/** What a host is known by in a store on a server. */
export interface HostIdentity {
  /** No other host has it. */
  readonly id: string;
  /** 32 random bytes, in hexadecimal: with it other hosts of the store reach this one by a link. */
  readonly key: string;
}
