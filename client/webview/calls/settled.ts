import { useEffect, useRef, useState } from "preact/hooks";
import { SETTLE_MS } from "../../common/settle-ms.ts";

/** True once the content with this digest has been painted and is there for a while. */
export function useSettled(digest: string | undefined): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    if (digest === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The second frame starts after the first one was painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => setSettled(digest), SETTLE_MS);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [digest]);
  return digest !== undefined && settled === digest;
}

type Point = Pick<PointerEvent, "clientX" | "clientY">;

/** Where the pointer was last seen on the page. */
let lastPoint: Point | undefined;
addEventListener(
  "pointermove",
  ({ clientX, clientY }) => {
    lastPoint = { clientX, clientY };
  },
  true,
);

const isElsewhere = (a: Point, b: Point | undefined): boolean => a.clientX !== b?.clientX || a.clientY !== b.clientY;

/** The pointer on a button. */
interface Aim {
  /** When the button came under the pointer, and where. */
  readonly since: number;
  readonly at: Point | undefined;
  /** The pointer was moved onto the button or on it; otherwise the button has moved under the pointer. */
  readonly hasMoved: boolean;
  readonly isPressed: boolean;
}

/**
 * The handlers of a button that decides something. It reacts to the user alone, not to scripts, and to a press that began
 * when the button was settled and the pointer had been moved onto it: not to one that was meant for what was there before.
 */
export function useGuardedClick(settled: boolean, act: () => void) {
  const aim = useRef<Aim>({ since: 0, at: undefined, hasMoved: false, isPressed: false });
  return {
    "aria-disabled": settled ? undefined : true,
    onPointerEnter: ({ timeStamp, clientX, clientY }: PointerEvent): void => {
      const at = { clientX, clientY };
      aim.current = { since: timeStamp, at, hasMoved: isElsewhere(at, lastPoint), isPressed: false };
    },
    onPointerMove: (event: PointerEvent): void => {
      if (isElsewhere(event, aim.current.at)) aim.current = { ...aim.current, hasMoved: true };
    },
    onPointerDown: ({ timeStamp, pointerType }: PointerEvent): void => {
      const { since, hasMoved } = aim.current;
      const isAimed = hasMoved || pointerType !== "mouse" || timeStamp - since >= SETTLE_MS;
      aim.current = { ...aim.current, isPressed: settled && isAimed };
    },
    onClick: ({ isTrusted, detail }: MouseEvent): void => {
      // A click by keyboard has no presses of a pointer, and goes to the button that has the focus.
      const isMeant = detail === 0 || aim.current.isPressed;
      aim.current = { ...aim.current, isPressed: false };
      if (isTrusted && settled && isMeant) act();
    },
  };
}
