import type { Usage } from "../contract/message.ts";

/** 12,345 as `12.3k`. */
function shortNumber(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars: with cents from a dollar on, with two significant digits below. */
export function costText(dollars: number): string {
  if (dollars <= 0) return "$0";
  if (dollars < 0.0001) return "<$0.0001";
  if (dollars < 1) return `$${dollars.toFixed(Math.min(4, 1 - Math.floor(Math.log10(dollars))))}`;
  return `$${dollars.toFixed(dollars < 100 ? 2 : 0)}`;
}

/** `1.2k tokens · $0.012`: with the cost if known. An estimate is `about 1.2k tokens`. */
export function usageText({ total, cost, estimated }: Pick<Usage, "total" | "cost" | "estimated">): string {
  const count = total === 1 ? "1 token" : `${shortNumber(total)} tokens`;
  const tokens = estimated === true ? `about ${count}` : count;
  return cost === undefined ? tokens : `${tokens} · ${costText(cost)}`;
}
