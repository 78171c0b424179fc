/** A page of the documentation that is generated, or has generated parts. */
export interface GeneratedPage {
  /** From the root of the repository. */
  readonly path: string;
  /**
   * The whole text of the page as it has to be, from its current text.
   * @throws Error that lists what keeps it from being written.
   */
  readonly render: (current: string) => string | Promise<string>;
}

const MARKER = /<!-- fields:(.+?):(begin|end) -->/g;
const PLACE = /(<!-- fields:(.+?):begin -->)[\s\S]*?(<!-- fields:\2:end -->)/g;

/**
 * The text with each block in its place: between `<!-- fields:NAME:begin -->` and `<!-- fields:NAME:end -->`.
 * @throws Error that lists every block without a place on the page, and every place without a block.
 */
export function fillBlocks(current: string, blocks: ReadonlyMap<string, string>): string {
  const markers = [...current.matchAll(MARKER)].map(([, name = "", edge = ""]) => ({ name, edge }));
  const names = markers.filter(({ edge }) => edge === "begin").map(({ name }) => name);
  const faults = [
    ...unpaired(markers),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `there are two blocks fields:${name}`),
    ...names
      .filter((name) => !blocks.has(name))
      .map((name) => `nothing in the sources is called ${name}; remove the block fields:${name}`),
    ...[...blocks.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not on the page; add the markers fields:${name}:begin and :end`),
  ];
  if (faults.length > 0) throw new Error(`${faults.join("; ")}.`);
  return current.replace(
    PLACE,
    (_, begin: string, name: string, end: string) => `${begin}\n${blocks.get(name)}\n${end}`,
  );
}

/** Markers must come in turn: the beginning of a block, then its end. */
function unpaired(markers: readonly { readonly name: string; readonly edge: string }[]): string[] {
  return markers.flatMap(({ name, edge }, at) => {
    const [other, partner] = edge === "begin" ? ["end", markers[at + 1]] : ["begin", markers[at - 1]];
    return partner?.name === name && partner.edge === other ? [] : [`the marker fields:${name}:${other} is missing`];
  });
}
