import { styleText } from 'node:util';
import {
  formatTerm,
  type JoinedTraffic,
  type PhaseRecord,
  type RecordedBeacon,
  type ReportText,
  reportText,
  senderName,
  stepTitle,
} from '@compliance/core/pixel';
import type { Translation } from '@compliance/translations';
import type { RenderedScan } from '../rendering.ts';
import { sanitizeForTerminal, table } from './print.ts';
import { severityWord } from './scan-report.ts';

/**
 * Formats a rendering for the terminal: the events in each phase, the verdicts on the findings, and the isolation
 * layers.
 *
 * @param staticScore score based only on the page's code
 * @param translation language of the report and the comparison, or null for English
 */
export function renderingReport(
  { rendering, layers, joined: { findings: verdicts, traffic, unseen, score, verdict_counts: counts } }: RenderedScan,
  staticScore: number | null,
  translation: Translation | null,
): string {
  const t = reportText(translation);
  const { phases, beacons, stubbed, cut } = rendering;
  const timeline = phases.flatMap(step => [
    [heading(step, t)],
    ...beacons
      .filter(beacon => beacon.phase === step.phase && beacon.step === step.step)
      .map(beacon => timelineRow(beacon, t, translation)),
  ]);
  const sent = beacons.filter(({ intercepted }) => !intercepted);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'unseen');
  const notes = [
    t('rendered_events', { count: beacons.length }),
    ...(cut === null ? [] : [cut === 'crash' ? t('cut_by_crash') : t('cut_by_limit', { limit: cut })]),
    ...(sent.length > 0 && !stubbed ? [t('might_be_delivered', { count: sent.length })] : []),
    ...(stubbed ? [t('rendered_stubbed')] : []),
  ];
  return [
    ...notes,
    '',
    table([t('time'), t('vendor'), t('id'), t('event')], [10, 12, 26], timeline),
    ...(traffic.length > 0
      ? ['', styleText('bold', t('only_in_browser')), ...traffic.map(found => trafficItem(found, t))]
      : []),
    ...(unseen.length > 0 ? ['', styleText('bold', t('not_seen')), ...unseen.map(listItem)] : []),
    '',
    styleText('bold', t('findings')),
    ...decided.map(({ rule_id: rule, verdict, evidence }) =>
      listItem(t(verdict === 'confirmed' ? 'finding_confirmed' : 'finding_refuted', { rule, evidence })),
    ),
    `  ${t('findings_unseen', { unseen: counts.unseen, count: verdicts.length })}`,
    ...(counts.refuted > 0 ? [`  ${t('refuted_hidden')}`] : []),
    ...(score === null ? [] : [`  ${t('rendered_score', { score, code_score: `${staticScore}` })}`]),
    '',
    isolation(layers, t),
  ].join('\n');
}

function isolation({ active, missing }: RenderedScan['layers'], t: ReportText): string {
  if (missing.length === 0) return t('all_layers');
  return active.length === 0 ? t('no_layers', { missing }) : t('some_layers', { active, missing });
}

function heading({ phase, step, decision, banner, skipped, complete, cookies }: PhaseRecord, t: ReportText): string {
  const title = styleText('bold', stepTitle({ phase, step }, t));
  if (skipped !== null) return `${title} (${t('step_skipped', { reason: t(`skipped_${skipped}`) })})`;
  if (step === 'page' && decision === 'none') return `${title} (${t('no_choice_made')})`;
  const notes = [
    ...(step === 'page' && banner !== null ? [t('in_banner', { banner: sanitizeForTerminal(banner) })] : []),
    t('cookies', { count: cookies.length }),
    ...(complete ? [] : [t('step_incomplete')]),
  ];
  return `${title} ${styleText('dim', `(${notes.join(', ')})`)}`;
}

function timelineRow(beacon: RecordedBeacon, t: ReportText, translation: Translation | null): string[] {
  const { ms, vendor, id, event, event_id, consent } = beacon;
  const signals = Object.entries(consent.signals).map(([name, value]) => `${name}=${value}`);
  const sender = formatTerm(senderName(beacon), translation ?? undefined);
  const details = [...(event_id === null ? [] : [t('event_id', { id: event_id })]), ...signals, sender];
  return [
    `${ms} ms`,
    vendor,
    sanitizeForTerminal(id ?? '—'),
    sanitizeForTerminal(`${event ?? t('unnamed_event')} (${details.join(', ')})`),
  ];
}

/** Formats a problem with its severity, the code to change, and its fix. */
function trafficItem({ code, severity, message, fix, where, related, counts }: JoinedTraffic, t: ReportText): string {
  const places = [where, ...related].map(({ source, line, column }) => `${source}:${line}:${column}`);
  const details = [code, ...places, ...(counts ? [] : [t('counted_above')])];
  const lines = [
    `${severityWord(severity, t)}: ${sanitizeForTerminal(message)}`,
    sanitizeForTerminal(fix),
    styleText('dim', sanitizeForTerminal(details.join(', '))),
  ];
  return lines.map((line, index) => `  ${index === 0 ? '-' : ' '} ${line}`).join('\n');
}

const listItem = (message: string): string => `  - ${sanitizeForTerminal(message)}`;
