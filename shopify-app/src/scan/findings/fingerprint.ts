import { type Finding, fingerprint } from '@compliance/core/pixel';

/**
 * Pattern for a theme asset script on Shopify's CDN or the shop's own host. The number in the path differs between
 * themes.
 */
const ASSET = /\/t\/\d+\/(assets\/[\w.-]+)$/;

/** Pattern for an app embed script. */
const EXTENSION = /\/extensions\/[\w-]+\/(?:[\w.-]+\/)*assets\//;

/** Script file, identified by its URL, that contains a finding. */
export type ScriptFile =
  | { readonly by: 'theme'; readonly name: string }
  | { readonly by: 'app' | 'other'; readonly name: string };

/**
 * Returns the script file that contains a finding, or null if the finding is in the page itself.
 *
 * @param pageUrl final URL of the page
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
 * Returns the fingerprint of a finding within a store. A problem has the same fingerprint on every page and in the
 * theme file that causes it, so the scan reports only one finding.
 *
 * @param script script from {@link scriptOf} that contains the finding, or null if the finding is in a page or Liquid
 * file
 */
export const storeFingerprint = (finding: Finding, script: ScriptFile | null): string =>
  fingerprint({ ...finding, where: { ...finding.where, url: script?.name ?? 'store' } });
