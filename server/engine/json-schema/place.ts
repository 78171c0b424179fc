/** The place of a value in the value that is checked. */
export interface Place {
  readonly above: Place | undefined;
  readonly key: string | number;
}

/** The path of a place, such as `items.0.name`; empty for the whole value. */
export function placeText(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.above) keys.push(at.key);
  return keys.reverse().join(".");
}
