import type { BundledPackage } from "./bundled-packages.ts";

const LINE = "-".repeat(80);

/** The text of `ThirdPartyNotices.txt`: every package in the bundles with its licence. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const list = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const notices = packages.map(({ name, version, license, texts }) =>
    [LINE, `${name} ${version}`, `License: ${license}`, "", texts.join("\n\n")].join("\n"),
  );
  return `Gavel contains the following packages, each under its own licence.\n\n${list.join("\n")}\n\n${notices.join("\n\n")}\n`;
}
