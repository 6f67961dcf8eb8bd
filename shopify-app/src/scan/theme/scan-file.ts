import { type Capture, type Finding, scan } from '@compliance/core/pixel';
import { FILLER, neutralise } from './neutralise.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** A theme file to scan. Plain data, since it crosses into a worker. */
export interface FileToScan {
  readonly name: string;
  readonly source: string;
  /** The shop's primary host, such as `www.shop.example`. */
  readonly host: string;
  /** YYYY-MM-DD */
  readonly asOf: string;
}

/** A theme file as it was scanned. */
export interface ScannedFile {
  /** Its markup. */
  readonly pieces: readonly Piece[];
  /** Of every rule, also those that a part of a page cannot answer to; their places are those of the file. */
  readonly findings: readonly Finding[];
}

/** A file that holds more is not made to be used. */
const MOST_FINDINGS = 500;

/**
 * Scans one file of a theme, which a page is only made of in part: the caller decides which rules a part can answer to. A finding about a value that Liquid prints is left out, since the value is
 * not known here. Runs in a worker of the pool: the file is hostile and costs its own scan alone.
 *
 * @example scanFile({ name: 'layout/theme.liquid', source, host: 'shop.example', asOf: '2026-11-21' }).findings[0]?.where.line
 */
export function scanFile({ name, source, host, asOf }: FileToScan): ScannedFile {
  const pieces = piecesOf(name, source);
  const found: Finding[] = [];
  for (const piece of pieces) {
    const { findings } = scan(captureOf(name, piece.text, host), { asOf });
    for (const finding of findings) {
      if (finding.ids.some(isUnknown) || isUnknown(finding.message)) continue;
      const { line, column, ...where } = finding.where;
      const place = piece.verbatim ? { line, column } : { line: piece.line, column: piece.column };
      found.push({
        ...finding,
        where: { ...where, ...place, url: name },
        snippet: finding.snippet.replace(new RegExp(`${FILLER}+`, 'g'), '{{ … }}'),
      });
    }
  }
  return { pieces, findings: found.slice(0, MOST_FINDINGS) };
}

const isUnknown = (text: string): boolean => text.includes(FILLER);

function captureOf(name: string, text: string, host: string): Capture {
  const url = `https://${host}/`;
  return {
    url,
    finalUrl: url,
    status: 200,
    // A theme is Shopify's, whether or not a part of it shows that.
    headers: { 'content-type': 'text/html', 'powered-by': 'Shopify' },
    html: neutralise(text),
    scripts: name.endsWith('.liquid') ? [{ url: name, status: 200, body: text }] : [],
    truncated: false,
    notes: [],
  };
}
