import { styleText } from 'node:util';
import {
  type JoinedTraffic,
  type PhaseRecord,
  type RecordedBeacon,
  reportText,
  SKIPPED_STEPS,
  senderName,
  stepTitle,
} from '@compliance/core/pixel';
import type { RenderedScan } from '../rendering.ts';
import { sanitizeForTerminal, table } from './print.ts';
import { quantity, severityWord } from './scan-report.ts';

/**
 * Formats a rendering for the terminal: the events in each phase, the verdicts on the findings, and the isolation
 * layers.
 *
 * @param staticScore score from the code alone
 */
export function renderingReport(
  { rendering, layers, joined: { findings: verdicts, traffic, unseen, score, verdict_counts: counts } }: RenderedScan,
  staticScore: number | null,
): string {
  const { phases, beacons, stubbed, cut } = rendering;
  const timeline = phases.flatMap(step => [
    [heading(step)],
    ...beacons.filter(beacon => beacon.phase === step.phase && beacon.step === step.step).map(timelineRow),
  ]);
  const sent = beacons.filter(({ intercepted }) => !intercepted);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'unseen');
  return [
    `Rendered in a browser: ${quantity(beacons.length, 'event')}, recorded but not delivered.${cut ? ` Rendering ended early (${cut === 'crash' ? 'the browser crashed' : `limit reached: ${cut}`}).` : ''}`,
    ...(sent.length > 0 && !stubbed
      ? [`However, ${quantity(sent.length, 'event')} couldn't be intercepted and might have been delivered.`]
      : []),
    ...(stubbed ? ["The page is a saved copy, so stubs replaced Meta's and Google's libraries."] : []),
    '',
    table(['Time', 'Vendor', 'ID', 'Event'], [10, 12, 26], timeline),
    ...(traffic.length > 0 ? ['', styleText('bold', 'Seen only in the traffic'), ...traffic.map(trafficItem)] : []),
    ...(unseen.length > 0 ? ['', styleText('bold', 'Not seen'), ...unseen.map(message => listItem({ message }))] : []),
    '',
    styleText('bold', 'Findings'),
    ...decided.map(({ rule_id, verdict, evidence }) => listItem({ message: `${rule_id}: ${verdict}. ${evidence}` })),
    `  Unseen, because the traffic shows neither the problem nor its absence: ${counts.unseen} of ${quantity(verdicts.length, 'finding')}.`,
    ...(counts.refuted > 0 ? ['  Refuted findings don’t lower the score and aren’t in the scan report above.'] : []),
    ...(score === null
      ? []
      : [`  Score with the rendering: ${score} of 100. Score from the code alone: ${staticScore}.`]),
    '',
    layers.missing.length === 0
      ? 'Every isolation layer was active.'
      : `Active isolation layers, besides the proxy: ${layers.active.join(', ') || 'none'}. Missing: ${layers.missing.join(', ')}.`,
  ].join('\n');
}

function heading({ phase, step, decision, banner, skipped, complete, cookies }: PhaseRecord): string {
  const title = styleText('bold', stepTitle({ phase, step }));
  if (skipped !== null) return `${title}: skipped (${SKIPPED_STEPS[skipped]})`;
  if (step === 'page' && decision === 'none')
    return `${title}: the page has no consent banner or API that the scan can use, so no choice was made`;
  return (
    title +
    (step === 'page' && banner !== null ? ` in the ${sanitizeForTerminal(banner)} banner` : '') +
    (complete ? '' : '; the page failed to load, or was still sending requests when the step ended') +
    styleText('dim', ` (${quantity(cookies.length, 'cookie')})`)
  );
}

function timelineRow(beacon: RecordedBeacon): string[] {
  const { ms, vendor, id, event, event_id, consent } = beacon;
  const signals = Object.entries(consent.signals).map(([name, value]) => `${name}=${value}`);
  const sender = `sent by ${senderName(beacon)}`;
  const details = [...(event_id === null ? [] : [`event ID ${event_id}`]), ...signals, sender];
  return [
    `${ms} ms`,
    vendor,
    sanitizeForTerminal(id ?? 'none'),
    sanitizeForTerminal(`${event ?? 'unnamed'} (${details.join(', ')})`),
  ];
}

/** Formats a problem with its severity, the code to change, and its fix. */
function trafficItem({ code, severity, message, fix, where, related, counts }: JoinedTraffic): string {
  const places = [where, ...related].map(({ source, line, column }) => `${source}:${line}:${column}`);
  const lines = [
    `${severityWord(severity, reportText(null))}: ${sanitizeForTerminal(message)}`,
    sanitizeForTerminal(fix),
    styleText(
      'dim',
      sanitizeForTerminal(`${code}, ${places.join(' and ')}${counts ? '' : ', counted with a finding above'}`),
    ),
  ];
  return lines.map((line, index) => `  ${index === 0 ? '-' : ' '} ${line}`).join('\n');
}

const listItem = ({ message }: { readonly message: string }): string => `  - ${sanitizeForTerminal(message)}`;
