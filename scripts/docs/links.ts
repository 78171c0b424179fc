import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { sourceFiles } from "../source-files.ts";

/** Pages in which every path in backticks must exist. */
const MAPS = ["docs/ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];

/** Folders without pages of ours. */
const FOREIGN = new Set(["node_modules", "dist", ".git", ".cache", "test-results"]);

/** Folders with sources that cite pages. */
const SOURCES = ["shared", "socket", "server", "client", "test", "scripts"];

/** Every relative link, anchor, path and citation of the project's pages that leads nowhere, one sentence each. */
export function brokenLinks(projectRoot: string): string[] {
  const pages = markdownFiles(projectRoot);
  const inPages = pages.flatMap((page) => {
    const text = withoutCode(readFileSync(join(projectRoot, page), "utf8"));
    const links = linksIn(text).flatMap((link) => faultOf(projectRoot, page, link));
    const paths = MAPS.includes(page)
      ? pathsIn(projectRoot, text).flatMap((path) => missing(projectRoot, page, path))
      : [];
    return [...links, ...paths];
  });
  return [...inPages, ...brokenCitations(projectRoot, pages)];
}

/** Comments and test titles cite a heading as `PROTOCOL.md, "Tool interrupts"`. */
function brokenCitations(projectRoot: string, pages: readonly string[]): string[] {
  const headings = new Map(pages.map((page) => [page.split("/").at(-1), headingsOf(projectRoot, page)]));
  return SOURCES.flatMap((folder) => sourceFiles(projectRoot, folder)).flatMap((file) => {
    // A citation may go on in the next line of its comment.
    const text = readFileSync(join(projectRoot, file), "utf8").replaceAll(/\s*\n\s*(?:\*|\/\/) /g, " ");
    return [...text.matchAll(/\b([A-Z][A-Z-]+\.md), "([A-Z][^"\n]*)"/g)]
      .filter(([, page = "", heading = ""]) => headings.get(page)?.includes(heading) !== true)
      .map(([citation]) => `${file} cites ${citation}, which does not exist.`);
  });
}

const headingsOf = (projectRoot: string, page: string): string[] =>
  [...withoutCode(readFileSync(join(projectRoot, page), "utf8")).matchAll(/^#{1,6} +(.+?) *$/gm)].map(
    ([, heading = ""]) => heading,
  );

/** The anchors that GitHub gives the headings of a page, in order. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function markdownFiles(projectRoot: string): string[] {
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : filesIn(path);
      return entry.name.endsWith(".md") ? [relative(projectRoot, path).split(sep).join("/")] : [];
    });
  return filesIn(projectRoot).sort();
}

/** What is in fenced blocks is an example. */
const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, "");

const linksIn = (text: string): string[] => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);

function faultOf(projectRoot: string, page: string, link: string): string[] {
  if (/^[a-z]+:/.test(link)) return [];
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(join(projectRoot, target))) return [`${page} links to ${link}, which does not exist.`];
  if (anchor === undefined) return [];
  const anchors = anchorsOf(readFileSync(join(projectRoot, target), "utf8"));
  return anchors.includes(anchor) ? [] : [`${page} links to ${link}, and there is no such heading.`];
}

/** Paths in backticks that begin with a folder of the project. One with NAME in it is the reader's to fill in. */
function pathsIn(projectRoot: string, text: string): string[] {
  const folders = readdirSync(projectRoot, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tops = new Set(folders.map(({ name }) => name));
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?|[\w-]+\/)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => tops.has(path.split("/")[0] ?? "") && !path.includes("NAME"));
}

const missing = (projectRoot: string, page: string, path: string): string[] =>
  existsSync(join(projectRoot, path)) || path.startsWith("dist/")
    ? []
    : [`${page} names ${path}, which does not exist.`];
