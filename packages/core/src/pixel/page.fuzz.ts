import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzTarget } from '@compliance/fuzz';
import { parse } from 'parse5';
import { drift, htmlReport, type Inventory, sarif, scan } from './index.ts';
import { captureOf } from './testing/capture-of.ts';

const AS_OF = '2026-11-21';
/** What has no place in a report, whatever a page holds. */
const ACTIVE = /^(script|img|iframe|frame|object|embed|link|base|form|math|audio|video)$/;

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

function refuseActive({ nodeName, attrs = [], childNodes = [] }: Node): void {
  if (ACTIVE.test(nodeName)) throw new Error(`has an element ${nodeName} in its report`);
  for (const { name, value } of attrs) {
    if (name.startsWith('on') || name === 'src') throw new Error(`has an attribute ${name} in its report`);
    if (name === 'href' && !/^(https?:|#)/.test(value)) throw new Error('links to what is no page in its report');
  }
  for (const child of childNodes) refuseActive(child);
}

/** A page; after a form feed, the code of a file that the page asks for as `https://shop.example/app.js`. */
export default {
  covers: ['packages/core/src/pixel/'],
  seeds: globSync('rules/*/fixtures/*.html', { cwd: import.meta.dirname })
    .sort()
    .map(file => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .concat('<script src="/app.js"></script>\ffbq("init","123456789012345");fbq("track","Lead")'),
  words: [
    '<script>',
    '</script>',
    '<script src="/app.js">',
    '<noscript>',
    '<!--',
    '-->',
    '\f',
    'AW-123456789',
    'G-ABCDEFGH12',
  ],
  maxLength: 6_000,
  holds(input) {
    const [html = '', body] = input.split('\f');
    const scripts = body === undefined ? [] : [{ url: 'https://shop.example/app.js', status: 200, body }];
    const options = { asOf: AS_OF, profile: input.length % 2 === 0 ? 'default' : 'eea' } as const;
    const result = scan(captureOf(html, { scripts }), options);
    const { score, score_breakdown, severity_counts, findings, inventory } = result;
    if (score === null) {
      if (result.not_scored === null) throw new Error('has no score and does not say why');
    } else {
      if (!Number.isInteger(score) || score < 0 || score > 100) throw new Error('has a score out of range');
      if (score_breakdown.reduce((sum, { points }) => sum + points, 0) !== 100 - score)
        throw new Error('does not add up');
    }
    const counted = severity_counts.info + severity_counts.warn + severity_counts.error;
    if (counted !== findings.length) throw new Error('does not count its findings');
    const again = scan(captureOf(html, { scripts }), options);
    if (JSON.stringify(again) !== JSON.stringify(result)) throw new Error('sees one page in two ways');
    const kept: Inventory = JSON.parse(JSON.stringify(inventory));
    if (drift(kept, inventory).drift_status !== 'none') throw new Error('sees a change where there is none');
    JSON.stringify(sarif(result, '1.0.0'));
    refuseActive(parse(htmlReport(result, AS_OF)) as Node);
  },
} satisfies FuzzTarget;
