import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzTarget } from '@compliance/fuzz';
import { parse } from 'parse5';
import { drift, htmlReport, sarif, scan } from './index.ts';
import type { Inventory } from './model/inventory.ts';
import { captureOf } from './testing/capture-of.ts';

const AS_OF = '2026-11-21';
/** Elements that a report must never contain, regardless of the page content. */
const ACTIVE = /^(script|img|iframe|frame|object|embed|link|base|form|math|audio|video)$/;

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

function rejectActiveContent({ nodeName, attrs = [], childNodes = [] }: Node): void {
  if (ACTIVE.test(nodeName)) throw new Error(`report contains a ${nodeName} element`);
  for (const { name, value } of attrs) {
    if (name.startsWith('on') || name === 'src') throw new Error(`report contains a ${name} attribute`);
    if (name === 'href' && !/^(https?:|#)/.test(value)) throw new Error('report contains a link that is not a web URL');
  }
  for (const child of childNodes) rejectActiveContent(child);
}

/**
 * Fuzz target for page scans. The input is a page, optionally followed by a form feed and the code of a file that the
 * page loads as `https://shop.example/app.js`.
 */
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
      if (result.not_scored === null) throw new Error('has neither a score nor a reason');
    } else {
      if (!Number.isInteger(score) || score < 0 || score > 100) throw new Error('score is out of range');
      if (score_breakdown.reduce((sum, { points }) => sum + points, 0) !== 100 - score)
        throw new Error('score breakdown does not add up');
    }
    const counted = severity_counts.info + severity_counts.warn + severity_counts.error;
    if (counted !== findings.length) throw new Error('severity counts do not match the findings');
    const again = scan(captureOf(html, { scripts }), options);
    if (JSON.stringify(again) !== JSON.stringify(result)) throw new Error('two scans of one page differ');
    const kept: Inventory = JSON.parse(JSON.stringify(inventory));
    if (drift(kept, inventory).drift_status !== 'none')
      throw new Error('drift reports a change between equal inventories');
    JSON.stringify(sarif(result, '1.0.0'));
    rejectActiveContent(parse(htmlReport(result, AS_OF)) as Node);
  },
} satisfies FuzzTarget;
