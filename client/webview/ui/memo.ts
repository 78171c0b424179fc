import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

/** A component that renders again only when a prop is another object or value; signals that it reads still update it. */
export function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next) || differs(next, this.props);
    }
    override render(): ComponentChild {
      return h(render as FunctionComponent<P>, this.props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}

function differs<P extends object>(a: Readonly<P>, b: Readonly<P>): boolean {
  for (const key in a) if (a[key] !== b[key]) return true;
  return false;
}
