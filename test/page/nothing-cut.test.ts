import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const sizes = [
  [170, 720],
  [250, 720],
  [430, 720],
  [900, 720],
  [430, 270],
  [170, 270],
] as const;

/** What can be used and is cut by the left or the right edge of the page, unless it can be scrolled there. */
function cutControls(chat: ChatPageDriver): Promise<readonly string[]> {
  return chat.page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element.id !== "app" &&
      ((/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth) ||
        scrolls(element.parentElement));
    return [...document.querySelectorAll("button, textarea, input, a, summary, [role=tab]")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -0.5 || right > innerWidth + 0.5) && !scrolls(element.parentElement);
      })
      .map((element) => element.getAttribute("aria-label") ?? element.textContent ?? "");
  });
}

/** Short texts that end at the edge of what contains them, without an ellipsis. */
function cutTexts(chat: ChatPageDriver): Promise<readonly string[]> {
  return chat.page.evaluate(() => {
    const edgeOf = (element: Element | null): number => {
      if (element === null) return innerWidth;
      const { overflowX, textOverflow } = getComputedStyle(element);
      if (textOverflow === "ellipsis" || /auto|scroll/.test(overflowX)) return Number.POSITIVE_INFINITY;
      const outer = edgeOf(element.parentElement);
      return /hidden|clip/.test(overflowX) ? Math.min(outer, element.getBoundingClientRect().right) : outer;
    };
    const isForScreenReaders = (element: Element): boolean =>
      element.closest(".sr-only") !== null || getComputedStyle(element).clipPath !== "none";
    const walker = document.createTreeWalker(document.querySelector(".page") ?? document, NodeFilter.SHOW_TEXT);
    const cut: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || isForScreenReaders(element) || element.closest(".is-left-over, select") !== null)
        continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { right, width } = range.getBoundingClientRect();
      if (width > 0 && right > edgeOf(element) + 1) cut.push(`text: ${node.textContent}`);
    }
    return cut;
  });
}

/** What can be used around the thread and is covered by something else, or cannot be scrolled into the page. */
function coveredControls(chat: ChatPageDriver): Promise<readonly string[]> {
  return chat.page.evaluate(() => {
    const page = document.querySelector(".page");
    if (page === null) return [];
    const covered: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(
      ".banner button, .controls button, .composer-text, .composer-footer button, .team-header button",
    )) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(".is-left-over *")) continue;
      element.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      const isOver = at?.closest(".interrupt-tooltip, [role=menu], [popover]") != null;
      if (width > 0 && !isOver && at !== element && !element.contains(at))
        covered.push(`covered: ${element.getAttribute("aria-label") ?? element.textContent} by ${at?.className}`);
    }
    page.scrollTo({ top: 0, behavior: "instant" });
    return covered;
  });
}

for (const { name, show } of galleryStates) {
  test(`nothing is cut or covered in the state "${name}", at any width and height`, async () => {
    const chat = await browser.page({ width: 430, height: 720 });
    await show(chat);
    const cut: Record<string, readonly string[]> = {};
    for (const [width, height] of sizes) {
      await chat.page.setViewportSize({ width, height });
      // Rows and chips are laid out again.
      await chat.post();
      const found = [...(await cutControls(chat)), ...(await cutTexts(chat)), ...(await coveredControls(chat))];
      if (found.length > 0) cut[`${width} × ${height}`] = found;
    }
    assert.deepEqual(cut, {});
  });
}

test("the list of what is attached shows whole rows, also when it is scrolled", async () => {
  for (const [width, height] of sizes) {
    const chat = await browser.page({ width, height });
    await chat.open(new TeamScript());
    const attachments = Array.from({ length: 30 }, (_, index) => ({
      key: `k${index}`,
      kind: "file" as const,
      name: `src/file-number-${index}.ts`,
      uri: `file:///project/src/file-number-${index}.ts`,
      tokens: 100 + index,
    }));
    await chat.post({ type: "attached", teamId: "team-1", attachments });
    const list = chat.page.locator(".attachments");
    const cutRows = () =>
      list.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return [...element.querySelectorAll(".attachment")].filter((row) => {
          const box = row.getBoundingClientRect();
          return (box.top < top && box.bottom > top + 1) || (box.top < bottom - 1 && box.bottom > bottom + 0.5);
        }).length;
      });
    assert.equal(await cutRows(), 0, `at ${width} × ${height}`);
    await list.evaluate((element) => element.scrollBy({ top: 40, behavior: "instant" }));
    await chat.post();
    assert.equal(await cutRows(), 0, `scrolled at ${width} × ${height}`);
    await chat.page.close();
  }
});

test("the list of waiting messages shows whole rows, also when it is scrolled", async () => {
  for (const [width, height] of sizes) {
    const chat = await browser.page({ width, height });
    const script = new TeamScript().task("Go.");
    script.chunk(script.startMessage("author"), "Well");
    for (let at = 0; at < 12; at++)
      script.queueMessage(at % 2 === 0 ? "tester" : "reviewer", `Number ${at}: tell what the second run costs.`, {
        delivery: at % 3 === 0 ? "steer" : "queue",
        ...(at % 4 === 0 ? { visibility: "target" as const } : {}),
      });
    await chat.open(script);
    const list = chat.page.locator(".waiting ul");
    const cutRows = () =>
      list.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const rows = [...element.querySelectorAll(".waiting-message")];
        const isCut = (inner: DOMRect, [from, to]: readonly [number, number]) =>
          (inner.top < from - 0.5 && inner.bottom > from + 1.5) || (inner.top < to - 1.5 && inner.bottom > to + 0.5);
        return rows.filter((row) => {
          const box = row.getBoundingClientRect();
          const parts = [...row.querySelectorAll(".waiting-text, .waiting-to, button")];
          return (
            isCut(box, [top, bottom]) ||
            parts.some((part) => isCut(part.getBoundingClientRect(), [box.top, box.bottom]))
          );
        }).length;
      });
    assert.equal(await cutRows(), 0, `at ${width} × ${height}`);
    await list.evaluate((element) => element.scrollBy({ top: 40, behavior: "instant" }));
    await chat.post();
    assert.equal(await cutRows(), 0, `scrolled at ${width} × ${height}`);
    assert.ok(
      (await list.evaluate(({ clientHeight }) => clientHeight)) <= Math.max(height * 0.34, 31),
      `${width} × ${height}`,
    );
    await chat.page.close();
  }
});
