/**
 * The ref of the `nth` call of an event, unique in a root team's whole tree for ever, whatever ids a model gives: `seq`, the
 * number of the event, never comes twice in a tree. A saved state can be loaded into another team, which has used the same
 * numbers; so the ref also has the end of `origin`, the random id of the run or of the loading. At most 40 characters.
 */
export function callRef(seq: number, nth: number, origin: string): string {
  return `call_${seq}_${nth}_${origin.slice(-8)}`;
}
