import { type Capture, type Finding, scan } from '@compliance/core/pixel';
import { type MarkupSegment, markupSegments } from './markup-segments.ts';
import { maskLiquid, PLACEHOLDER } from './mask-liquid.ts';

/**
 * Theme file to scan. The object contains only serializable data, because the pool sends the object to a worker
 * process.
 */
export interface FileToScan {
  readonly name: string;
  readonly source: string;
  /** Shop's primary host, such as `www.shop.example`. */
  readonly host: string;
  /** Scan date, YYYY-MM-DD. */
  readonly asOf: string;
}

/** Result of scanning a theme file. */
export interface ScannedFile {
  /** The file's markup segments. */
  readonly segments: readonly MarkupSegment[];
  /** Findings from all rules, including rules that need a whole page. Positions are relative to the file, not to a segment. */
  readonly findings: readonly Finding[];
}

/** Maximum number of findings per file. A real file never has more findings. */
const MAX_FINDINGS = 500;

/**
 * Scans one theme file. The caller decides which rules apply, because a file is only part of a page. Omits findings
 * about values that Liquid prints, because those values are unknown. Runs in a pool worker process, because the file is
 * untrusted.
 *
 * @example scanFile({ name: 'layout/theme.liquid', source, host: 'shop.example', asOf: '2026-11-21' }).findings[0]?.where.line
 */
export function scanFile({ name, source, host, asOf }: FileToScan): ScannedFile {
  const segments = markupSegments(name, source);
  const found: Finding[] = [];
  for (const segment of segments) {
    const { findings } = scan(captureOf(name, segment.text, host), { asOf });
    for (const finding of findings) {
      if (finding.ids.some(isUnknown) || isUnknown(finding.message)) continue;
      const { line, column, ...where } = finding.where;
      const place = segment.verbatim ? { line, column } : { line: segment.line, column: segment.column };
      found.push({
        ...finding,
        where: { ...where, ...place, url: name },
        snippet: finding.snippet.replace(new RegExp(`${PLACEHOLDER}+`, 'g'), '{{ … }}'),
      });
    }
  }
  return { segments, findings: found.slice(0, MAX_FINDINGS) };
}

const isUnknown = (text: string): boolean => text.includes(PLACEHOLDER);

function captureOf(name: string, text: string, host: string): Capture {
  const url = `https://${host}/`;
  return {
    url,
    finalUrl: url,
    status: 200,
    // A theme file always belongs to a Shopify store, even if this segment doesn't indicate the platform.
    headers: { 'content-type': 'text/html', 'powered-by': 'Shopify' },
    html: maskLiquid(text),
    scripts: name.endsWith('.liquid') ? [{ url: name, status: 200, body: text }] : [],
    truncated: false,
    notes: [],
    template: true,
  };
}
