import type { Capture } from '../model/capture.ts';
import type { Finding } from '../model/finding.ts';
import { scan } from '../scan/scan.ts';
import { maskLiquid, PLACEHOLDER } from './mask-liquid.ts';

/** Text of a theme file, or markup in a theme file. The text is untrusted. */
export interface ThemeFileText {
  /** Filename, such as `snippets/tracking.liquid`. */
  readonly name: string;
  readonly source: string;
  /** Shop's primary host, such as `www.shop.example`. */
  readonly host: string;
  /** Scan date, YYYY-MM-DD. */
  readonly asOf: string;
}

/**
 * Scans one theme file. The caller decides which rules apply, because a file is only part of a page. Omits findings
 * about values that Liquid outputs, because those values are unknown.
 *
 * @throws RangeError if `asOf` isn't a date in the form `YYYY-MM-DD`
 * @example scanThemeFile({ name: 'layout/theme.liquid', source, host: 'shop.example', asOf: '2026-11-21' })[0]?.where.line
 */
export function scanThemeFile(file: ThemeFileText): readonly Finding[] {
  const { findings } = scan(themeFileCapture(file), { asOf: file.asOf });
  return findings
    .filter(finding => !finding.ids.some(isUnknown) && !isUnknown(finding.message))
    .map(finding => ({
      ...finding,
      where: { ...finding.where, url: file.name },
      snippet: finding.snippet.replace(new RegExp(`${PLACEHOLDER}+`, 'g'), '{{ … }}'),
    }));
}

const isUnknown = (text: string): boolean => text.includes(PLACEHOLDER);

/** Returns a capture of a theme file, as if a shop had served the file as a page. */
export function themeFileCapture({ name, source, host }: ThemeFileText): Capture {
  const url = `https://${host}/`;
  return {
    url,
    finalUrl: url,
    status: 200,
    // A theme file always belongs to a Shopify store, even if the text doesn't indicate the platform.
    headers: { 'content-type': 'text/html', 'powered-by': 'Shopify' },
    html: maskLiquid(source),
    scripts: name.endsWith('.liquid') ? [{ url: name, status: 200, body: source }] : [],
    truncated: false,
    notes: [],
    template: true,
  };
}
