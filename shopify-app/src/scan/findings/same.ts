import { type Finding, fingerprint } from '@compliance/core/pixel';

/** A script among the theme's assets, at Shopify's CDN or at the shop's own host. The number changes with each theme. */
const ASSET = /\/t\/\d+\/(assets\/[\w.-]+)$/;

/** A script that an app embed brings along. */
const EXTENSION = /\/extensions\/[\w-]+\/(?:[\w.-]+\/)*assets\//;

/** The script that a finding is in, by its address, when it is in a file of its own. */
export type ScriptFile =
  | { readonly by: 'theme'; readonly name: string }
  | { readonly by: 'app' | 'other'; readonly name: string };

/**
 * Which script a finding stands in; null when it stands in the page itself.
 *
 * @param pageUrl the address of the page as it answered
 * @example scriptOf(finding, 'https://shop.example/') // { by: 'theme', name: 'assets/theme.js' }
 */
export function scriptOf({ where }: Pick<Finding, 'where'>, pageUrl: string): ScriptFile | null {
  if (where.url === pageUrl || !URL.canParse(where.url)) return null;
  const { host, pathname } = new URL(where.url);
  const asset = ASSET.exec(pathname)?.[1];
  if (asset) return { by: 'theme', name: asset };
  return { by: EXTENSION.test(pathname) ? 'app' : 'other', name: host + pathname };
}

/**
 * The fingerprint of a finding of a store: the same on every page and in the file of the theme that it comes from, so that one
 * fault is one finding.
 *
 * @param script the script that it stands in, see {@link scriptOf}; null when it stands in a page or a Liquid file
 */
export const storeFingerprint = (finding: Finding, script: ScriptFile | null): string =>
  fingerprint({ ...finding, where: { ...finding.where, url: script?.name ?? 'store' } });
