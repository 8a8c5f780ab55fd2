/** Components that are rendered again only when their properties change. */
import { Component, type ComponentChild, type FunctionComponent } from 'preact';

export function memo<P extends object>(Render: FunctionComponent<P>, same: (before: P, after: P) => boolean = shallow) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props as P, next);
    }

    override render(): ComponentChild {
      return <Render {...(this.props as P)} />;
    }
  };
}

function shallow<P extends object>(before: P, after: P): boolean {
  const names = Object.keys(after) as (keyof P)[];
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}
