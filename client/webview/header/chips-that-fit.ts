/** A chip as it is laid out; its width in pixels. */
export interface Chip {
  readonly width: number;
  /** 0 for an idle participant, 1 for an active one, 2 for one that waits for the user or has failed. */
  readonly rank: 0 | 1 | 2;
}

/** What the chips are laid out in; sizes in pixels. */
export interface ChipSpace {
  readonly width: number;
  readonly gap: number;
  readonly lines: number;
  /** The width of the chip that stands for the others. */
  readonly more: number;
}

/** @returns the places of the chips that do not fit into the lines: the last ones of the lowest rank first. */
export function chipsLeftOver(chips: readonly Chip[], space: ChipSpace): ReadonlySet<number> {
  const left = new Set<number>();
  const places = [...chips.keys()].reverse();
  const order = ([0, 1, 2] as const).flatMap((rank) => places.filter((at) => chips[at]?.rank === rank));
  for (const at of order) {
    const widths = chips.filter((_, place) => !left.has(place)).map(({ width }) => width);
    if (fits(left.size === 0 ? widths : [...widths, space.more], space)) break;
    left.add(at);
  }
  return left;
}

/** Whether chips of these widths fit into the lines, wrapped as text is. */
function fits(widths: readonly number[], { width, gap, lines }: ChipSpace): boolean {
  let line = 1;
  let used = 0;
  for (const each of widths) {
    const next = used === 0 ? each : used + gap + each;
    if (next <= width) used = next;
    else {
      line++;
      used = each;
    }
  }
  return line <= lines;
}
