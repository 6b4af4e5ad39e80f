/**
 * What the page shows, as the fragment of its address: `#inspect=00CMXB6TAK4SA&spec=ulid-flake`. The first name is the
 * view. A text that is too long for an address is kept in memory, under a number in the history of the browser.
 */
import { useEffect, useState } from 'preact/hooks';

export const VIEWS = ['inspect', 'make', 'span', 'ledger'] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  view: View;
  /** The text of the view, such as the IDs to inspect, or the specification to make IDs of. */
  value: string;
  params: Readonly<Record<string, string>>;
  /** A text that is too long for the address, such as a paste or the content of a file. */
  big?: Big | undefined;
}

export interface Big {
  name: string;
  text: string;
}

/** The longest text or option that goes into the address, in UTF-16 units after escaping. */
export const MOST_IN_ADDRESS = 4000;

const texts = new Map<number, Big>();
let lastKey = 0;

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(3A|2F|24|2C|40|7B|7D|2B)/g, (escape) =>
    decodeURIComponent(escape),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const fits = (text: string) => encode(text).length <= MOST_IN_ADDRESS;

export function address(route: Route): string {
  const params = Object.entries(route.params).filter(([, value]) => value !== '' && fits(value));
  const hasValue = !route.big && route.value !== '' && fits(route.value);
  const first = hasValue ? `${route.view}=${encode(route.value)}` : route.view;
  return `#${[first, ...params.map(([name, value]) => `${name}=${encode(value)}`)].join('&')}`;
}

/** Whether the address has everything, so that a link shows the same to others. */
export function isComplete(route: Route): boolean {
  return !route.big && [route.value, ...Object.values(route.params)].every(fits);
}

export function parse(fragment: string): Route {
  const [first = '', ...rest] = fragment
    .replace(/^#/, '')
    .split('&')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? ([part, ''] as const) : ([part.slice(0, at), decode(part.slice(at + 1))] as const);
    });
  const view = VIEWS.find((view) => view === first[0]);
  if (!view) return { view: 'inspect', value: '', params: {} };
  return { view, value: first[1], params: Object.fromEntries(rest.filter(([name]) => name !== '')) };
}

function current(): Route {
  const route = { ...parse(location.hash), ...(history.state?.value && { value: history.state.value as string }) };
  const big = texts.get(history.state?.text as number);
  return big ? { ...route, big } : route;
}

export type Go = (route: Route, how?: 'push' | 'replace') => void;

/** The route, and a function that changes it: as a new entry of the history, or instead of the current one. */
export function useRoute(): [Route, Go] {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const update = () => setRoute(current());
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  const go: Go = (next, how = 'push') => {
    // A text that is typed and too long for the address stays in the history.
    let state: { text: number } | { value: string } | null = isComplete(next) ? null : { value: next.value };
    if (next.big) {
      let key = [...texts].find(([, big]) => big === next.big)?.[0];
      if (key === undefined) {
        key = ++lastKey;
        texts.set(key, next.big);
      }
      state = { text: key };
    }
    // Browsers refuse too many changes in a short time.
    try {
      history[how === 'push' ? 'pushState' : 'replaceState'](state, '', address(next));
    } catch {
      // The page still shows the new route; only the address is old.
    }
    setRoute(next);
  };
  return [route, go];
}
