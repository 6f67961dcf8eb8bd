/** Stands for the part of a text that static reading could not resolve. It cannot occur in a parsed page. */
export const HOLE = '\u0000';

/**
 * A URL split for matching. Unlike the platform's own class it takes relative, protocol-relative and partly
 * unresolved addresses, and it never throws.
 */
export interface LooseUrl {
  /** Lower case, without port; empty when the address is relative or the host is unresolved. */
  readonly host: string;
  /** Starts with `/` for an absolute address. */
  readonly path: string;
  readonly params: ReadonlyMap<string, string>;
  readonly text: string;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const MAX_URL = 8192;

/**
 * Splits an address into host, path and query. Paths rewritten by a site copier (`../connect.facebook.net/x.js`) give
 * the host they were copied from.
 *
 * @example looseUrl('//www.googletagmanager.com/gtag/js?id=G-1').params.get('id') // 'G-1'
 */
export function looseUrl(input: string): LooseUrl {
  const text = input.slice(0, MAX_URL).trim();
  const hash = text.indexOf('#');
  const clean = hash < 0 ? text : text.slice(0, hash);
  const mark = clean.indexOf('?');
  const before = mark < 0 ? clean : clean.slice(0, mark);
  const params = new Map<string, string>();
  if (mark >= 0) {
    for (const pair of clean.slice(mark + 1).split('&')) {
      const equals = pair.indexOf('=');
      const key = decode(equals < 0 ? pair : pair.slice(0, equals));
      if (!params.has(key)) params.set(key, equals < 0 ? '' : decode(pair.slice(equals + 1)));
    }
  }
  const { host, path } = splitHost(before);
  return { host, path, params, text };
}

function splitHost(before: string): { host: string; path: string } {
  const scheme = before.indexOf('//');
  if (scheme >= 0 && scheme <= 8) {
    const rest = before.slice(scheme + 2);
    const slash = rest.indexOf('/');
    const authority = slash < 0 ? rest : rest.slice(0, slash);
    return { host: hostOf(authority), path: slash < 0 ? '/' : rest.slice(slash) };
  }
  // A site copier writes `../../connect.facebook.net/en_US/fbevents.js`; a script that picks its scheme leaves a hole first.
  let rest = before;
  while (rest.startsWith('../') || rest.startsWith('./')) rest = rest.slice(rest.indexOf('/') + 1);
  rest = rest.slice(rest.lastIndexOf(HOLE, 40) + 1);
  if (rest !== before) {
    const slash = rest.indexOf('/');
    const authority = slash < 0 ? '' : rest.slice(0, slash);
    if (authority.includes('.')) return { host: hostOf(authority), path: rest.slice(slash) };
  }
  return { host: '', path: before };
}

function hostOf(authority: string): string {
  const at = authority.lastIndexOf('@');
  const colon = authority.indexOf(':', at + 1);
  return authority.slice(at + 1, colon < 0 ? undefined : colon).toLowerCase();
}

/** Whether `host` is `domain` or lies below it. */
export const isUnder = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === '.');
