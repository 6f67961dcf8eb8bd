// Renders saved pages with the vendors' real libraries, and prints the events that the browser sent and the evidence
// for confirmed and refuted findings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '@compliance/chromium';
import { type Capture, joinRendering, type Phase, readContainer, scan } from '@compliance/core/pixel';
import { publicTransport } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { type Rendering, renderStorefront } from '@compliance/renderer';

const DATA = join(import.meta.dirname, '../../../../shared/data');
const PAGES = join(DATA, 'pixel-corpus/pages');
const AT_MOST = 15;
const AS_OF = '2026-11-23';
/** Matches code that loads one of the libraries that this script can serve. */
const HAS_TAG = /fbq\(|googletagmanager\.com\/(?:gtag\/js|gtm\.js)/;
const PHASES: readonly Phase[] = ['load', 'deny', 'accept'];

/** A saved library, and the ID that the saved copy contains. */
interface Library {
  readonly body: string;
  readonly savedId: string;
}

const readLibrary = (file: string, savedId: string): Library => ({
  body: readFileSync(join(DATA, 'vendor-scripts', file), 'utf8'),
  savedId,
});

/** Containers and Google tags that were saved with other pages, and their IDs. */
const SAVED = readdirSync(join(DATA, 'containers')).flatMap(file => {
  const body = readFileSync(join(DATA, 'containers', file), 'utf8');
  const container = readContainer(body, null);
  return 'id' in container && container.id !== null ? [{ id: container.id, body }] : [];
});

/**
 * Returns a page's libraries. A container or Google tag that was saved with its own ID is used as is. In every other
 * library, the saved ID is replaced with the page's own ID.
 */
function librariesFor(page: Omit<Capture, 'scripts'>): Capture['scripts'] {
  const { tags } = scan({ ...page, scripts: [] }, { asOf: AS_OF }).inventory;
  const idsOf = (pattern: RegExp) => [
    ...new Set(tags.flatMap(({ id }) => (id !== null && pattern.test(id) ? [id] : []))),
  ];
  const own = ({ body, savedId }: Library, url: string, id: string) => ({
    url,
    status: 200,
    body: body.replaceAll(savedId, id),
  });
  const google = (kind: 'gtag/js' | 'gtm.js', library: Library, ids: readonly string[]) => {
    const url = `https://www.googletagmanager.com/${kind}`;
    // A request with any other query parameters gets the file at the URL without parameters, which is the file for the
    // page's first ID.
    const ownOrSaved = (address: string, id: string) => {
      const saved = SAVED.find(each => each.id === id);
      return saved ? { url: address, status: 200, body: saved.body } : own(library, address, id);
    };
    return [...ids.map(id => ownOrSaved(`${url}?id=${id}`, id)), ...ids.slice(0, 1).map(id => ownOrSaved(url, id))];
  };
  const signals = readLibrary('signals.js', '2663018763980345');
  return [
    { url: 'https://connect.facebook.net/en_US/fbevents.js', status: 200, body: readLibrary('fbevents.js', '').body },
    ...idsOf(/^\d{10,17}$/).map(id => own(signals, `https://connect.facebook.net/signals/config/${id}`, id)),
    ...google('gtag/js', readLibrary('gtag.js', 'G-G99DMMNG39'), idsOf(/^G-/)),
    ...google('gtm.js', readLibrary('gtm.js', 'GTM-M5RF2ST'), idsOf(/^GTM-/)),
    { url: 'https://www.google-analytics.com/analytics.js', status: 200, body: readLibrary('analytics.js', '').body },
  ];
}

/** Returns a page's canonical URL, or a placeholder URL if the page doesn't have one. */
const urlOf = (html: string, file: string): string =>
  /<link[^>]+rel=["']canonical["'][^>]+href=["'](https:\/\/[^"']+)/.exec(html)?.[1] ?? `https://${file}.example/`;

function describe(file: string, capture: Capture, rendering: Rendering): string {
  const found = scan(capture, { asOf: AS_OF });
  const { findings, traffic, verdict_counts, score } = joinRendering(found, rendering);
  const { phases, beacons, cut, peak } = rendering;
  const sentIn = (phase: Phase) => {
    const sent = beacons.filter(each => each.phase === phase);
    const names = Object.groupBy(sent, ({ vendor, event, id }) => `${vendor} ${event} (${id})`);
    return Object.entries(names).map(([name, all = []]) => (all.length > 1 ? `${name} ×${all.length}` : name));
  };
  const { confirmed, refuted, unseen } = verdict_counts;
  const ways = phases.map(
    ({ phase, decision, complete }) => `${phase} ${decision ?? 'none'}${complete ? '' : ', incomplete'}`,
  );
  const counts = PHASES.map(phase => beacons.filter(each => each.phase === phase).length).join('/');
  return [
    `${file}: events ${counts} (load/deny/accept); confirmed ${confirmed}, refuted ${refuted}, unseen ${unseen}; score ${found.score} → ${score}; peak ${peak.memoryMb} MB${cut === null ? '' : `; ended early: ${cut}`}`,
    `  steps: ${ways.join('; ')}`,
    ...PHASES.flatMap(phase => sentIn(phase).map(name => `  ${phase}: ${name}`)),
    ...findings.flatMap(({ rule_id, ids, verdict, evidence }) =>
      verdict === 'unseen' ? [] : [`  ${verdict}: ${rule_id} ${ids.join(', ')}: ${evidence}`],
    ),
    ...traffic.map(
      ({ code, message, where }) => `  traffic: ${code}: ${message} (${where.source}:${where.line}:${where.column})`,
    ),
  ].join('\n');
}

if (!existsSync(PAGES))
  throw new Error('The saved pages weren’t found next to the checkout (../shared/data/pixel-corpus).');
const pages = readdirSync(PAGES)
  .sort()
  .map(file => ({ file: file.replace('.html', ''), html: readFileSync(join(PAGES, file), 'utf8') }))
  .filter(({ html }) => HAS_TAG.test(html))
  .slice(0, AT_MOST);
const chromium = await findChromium();
try {
  for (const { file, html } of pages) {
    const url = urlOf(html, file);
    const page = { url, finalUrl: url, status: 200, headers: {}, html, truncated: false, notes: [] };
    const capture = { ...page, scripts: librariesFor(page) };
    const rendering = await renderStorefront(
      { saved: capture },
      { chromium, kernel: inspectKernelIsolation(), transport: publicTransport, userAgent: 'vendor-scripts' },
    );
    process.stdout.write(`${describe(file, capture, rendering)}\n\n`);
  }
} finally {
  await chromium.remove();
}
