import { UNRESOLVED } from '../model/unresolved.ts';

/**
 * A URL split into parts for matching. Unlike a `URL` object, a `LooseUrl` can also represent a relative,
 * protocol-relative, or partly unresolved URL.
 */
export interface LooseUrl {
  /** Host in lowercase, without a port. Empty if the URL is relative or its host is unresolved. */
  readonly host: string;
  /** Path, which starts with `/` if the URL is absolute. */
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
 * Splits a URL into host, path, and query without ever throwing an error. If a site copier rewrote the URL as a path
 * (`../connect.facebook.net/x.js`), returns the original host.
 *
 * @example looseUrl('//www.googletagmanager.com/gtag/js?id=G-1').params.get('id') // 'G-1'
 */
export function looseUrl(input: string): LooseUrl {
  const text = input.slice(0, MAX_URL).trim();
  const hash = text.indexOf('#');
  const clean = hash < 0 ? text : text.slice(0, hash);
  const mark = clean.indexOf('?');
  const before = mark < 0 ? clean : clean.slice(0, mark);
  const params = mark < 0 ? new Map<string, string>() : queryParams(clean.slice(mark + 1));
  const { host, path } = splitHost(before);
  return { host, path, params, text };
}

/**
 * Splits a query string or form body into parameters without ever throwing an error. If a name occurs several times,
 * the first value is used.
 *
 * @example queryParams('id=G-1&en=page_view').get('en') // 'page_view'
 */
export function queryParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (!params.has(key)) params.set(key, equals < 0 ? '' : decode(pair.slice(equals + 1)));
  }
  return params;
}

function splitHost(before: string): { host: string; path: string } {
  const scheme = before.indexOf('//');
  if (scheme >= 0 && scheme <= 8) {
    const rest = before.slice(scheme + 2);
    const slash = rest.indexOf('/');
    const authority = slash < 0 ? rest : rest.slice(0, slash);
    return { host: hostOf(authority), path: slash < 0 ? '/' : rest.slice(slash) };
  }
  // Site copiers rewrite absolute URLs as paths, such as `../../connect.facebook.net/en_US/fbevents.js`. If a script
  // sets the scheme, the URL starts with an unresolved part.
  let rest = before;
  while (rest.startsWith('../') || rest.startsWith('./')) rest = rest.slice(rest.indexOf('/') + 1);
  rest = rest.slice(rest.lastIndexOf(UNRESOLVED, 40) + 1);
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

/** Returns whether `host` is `domain` or one of its subdomains. */
export const isSameOrSubdomain = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === '.');
