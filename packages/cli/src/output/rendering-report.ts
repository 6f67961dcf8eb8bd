import { styleText } from 'node:util';
import type { Phase, RecordedBeacon } from '@compliance/core/pixel';
import type { Rendering } from '@compliance/renderer';
import type { RenderedScan } from '../rendering.ts';
import { sanitizeForTerminal, table } from './print.ts';
import { quantity } from './scan-report.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  load: 'Before a choice',
  deny: 'After declining',
  accept: 'After accepting',
};

/** Names of the fence's layers, in display order. */
const LAYERS: readonly (readonly [keyof Rendering['layers'], string])[] = [
  ['noRoutes', 'network isolation'],
  ['ownProcesses', 'separate process namespace'],
  ['ownFiles', 'separate file system'],
  ['unprivileged', 'unprivileged user'],
  ['chromiumSandbox', "Chromium's sandbox"],
  ['watched', 'memory, process, and time limits'],
];

/** Formats a rendering for the terminal: the events of each phase, the verdicts on the findings, and the fence's layers. */
export function renderingReport({ rendering, verdicts, traffic }: RenderedScan): string {
  const { phases, beacons, stubbed, cut, layers } = rendering;
  const missing = LAYERS.filter(([layer]) => !layers[layer]).map(([, name]) => name);
  const timeline = phases.flatMap(({ phase, decision, complete, cookies }) => [
    [
      styleText('bold', PHASES[phase]) +
        (decision === 'none' ? ': the page has no consent API that the scan can use, so no choice was made' : '') +
        (complete ? '' : '; the page failed to load, or was still sending requests when the phase ended') +
        styleText('dim', ` (${quantity(cookies.length, 'cookie')})`),
    ],
    ...beacons.filter(beacon => beacon.phase === phase).map(timelineRow),
  ]);
  const sent = beacons.filter(({ intercepted }) => !intercepted);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'unseen');
  return [
    `Rendered in a browser: ${quantity(beacons.length, 'event')}, recorded but not delivered.${cut ? ` The rendering ended early (${cut === 'crash' ? 'the browser crashed' : `limit reached: ${cut}`}).` : ''}`,
    ...(sent.length > 0 && !stubbed
      ? [`However, ${quantity(sent.length, 'event')} couldn't be intercepted and might have been delivered.`]
      : []),
    ...(stubbed ? ["The page is a saved copy, so stubs replaced Meta's and Google's libraries."] : []),
    '',
    table(['Time', 'Vendor', 'ID', 'Event'], [10, 12, 26], timeline),
    ...(traffic.length > 0 ? ['', styleText('bold', 'Seen only in the traffic'), ...traffic.map(listItem)] : []),
    '',
    styleText('bold', 'Findings'),
    ...decided.map(({ rule_id, verdict, evidence }) => listItem({ message: `${rule_id}: ${verdict}. ${evidence}` })),
    `  Unseen, because the traffic shows neither the problem nor its absence: ${verdicts.length - decided.length} of ${quantity(verdicts.length, 'finding')}.`,
    '',
    missing.length === 0
      ? 'Every layer of the fence was active.'
      : `Active layers of the fence, besides the proxy: ${
          LAYERS.filter(([layer]) => layers[layer])
            .map(([, name]) => name)
            .join(', ') || 'none'
        }. Missing: ${missing.join(', ')}.`,
  ].join('\n');
}

function timelineRow({ ms, vendor, id, event, event_id, consent, initiator }: RecordedBeacon): string[] {
  const signals = Object.entries(consent.signals).map(([name, value]) => `${name}=${value}`);
  const sender = initiator.kind === 'container' ? `container ${initiator.id}` : initiator.kind.replace('_', ' ');
  const details = [...(event_id === null ? [] : [`event ID ${event_id}`]), ...signals, `sent by ${sender}`];
  return [
    `${ms} ms`,
    vendor,
    sanitizeForTerminal(id ?? 'none'),
    sanitizeForTerminal(`${event ?? 'unnamed'} (${details.join(', ')})`),
  ];
}

const listItem = ({ message }: { readonly message: string }): string => `  - ${sanitizeForTerminal(message)}`;
