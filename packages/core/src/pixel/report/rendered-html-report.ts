import { VENDOR_NAMES } from '../model/vendor.ts';
import type { JoinedScan, JoinedTraffic } from '../rendered/join.ts';
import type { Phase, PhaseRecord, RecordedBeacon, RenderedPage, VisitStep } from '../rendered/rendered-page.ts';
import { ignoresChoice, isDeclined, senderName } from '../rendered/sent-events.ts';
import { SKIPPED_STEPS, stepTitle } from '../rendered/step-titles.ts';
import { TRAFFIC_PROBLEMS } from '../rendered/traffic.ts';
import { redact } from '../scan/redact.ts';
import type { ScanResult } from '../scan/scan.ts';
import { html, type Markup } from './markup.ts';
import { hostOf, langAttribute, locationText, renderReport } from './sections.ts';
import { type ReportTranslation, reportText } from './texts.ts';

/** Strings for the browser sections, which are always in English. */
const ENGLISH = reportText(null);

/** A screenshot of the page at the end of a step. */
export interface StepPicture {
  readonly phase: Phase;
  readonly step: VisitStep;
  /** PNG file, encoded as base64. */
  readonly png: string;
}

/**
 * Renders a scan and its rendering as a single HTML page that shows a timeline of each phase's events, screenshots of
 * the page, and each finding with its verdict. Refuted findings are listed separately. Like {@link htmlReport}, the
 * report doesn't run scripts or make requests, and all text from the store is escaped.
 *
 * The browser sections are always in English.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @param translation language of the other sections, from `@compliance/translations`; null for English
 * @example
 * renderedHtmlReport(result, joinRendering(result, page), page, [], '2026-11-21').startsWith('<!doctype html>') // true
 */
export function renderedHtmlReport(
  result: ScanResult,
  joined: JoinedScan,
  page: RenderedPage,
  pictures: readonly StepPicture[],
  asOf: string,
  translation: ReportTranslation | null = null,
): string {
  const { score, score_breakdown, severity_counts, verdict_counts: counts } = joined;
  const verdicts = result.findings.map((finding, index) => ({ finding, ...joined.findings[index]! }));
  const kept = verdicts.filter(({ verdict }) => verdict !== 'refuted');
  const onlyInTraffic = joined.traffic.filter(({ counts }) => counts).length;
  const t = reportText(translation);
  const overview = html`${trafficSection(joined)}${unseenSection(joined)}${timeline(page, pictures)}${refutedSection(verdicts)}`;
  const coverage = [
    t('rendered_coverage', { score: result.score ?? t('category_unknown') }),
    ...(page.stubbed ? [t('rendered_stubbed')] : []),
    ...(page.cut === null ? [] : [t('rendered_cut')]),
  ];
  const text = {
    subject: 'page' as const,
    title: t('rendered_title', { host: hostOf(page.url) }),
    subtitle: page.url,
    verdict: t('rendered_verdict', { events: page.beacons.length, problems: onlyInTraffic, ...counts }),
    overview: translation
      ? html`<p class="soft">${t('rendered_language')}</p><div${langAttribute('en', translation)}>${overview}</div>`
      : overview,
    coverage: coverage.reduce((first, second) => t('two_sentences', { first, second })),
    translation,
  };
  const shown = { ...result, score, score_breakdown, severity_counts, findings: kept.map(({ finding }) => finding) };
  const evidence = kept.map(({ verdict, evidence: reason }) => (verdict === 'confirmed' ? reason : null));
  return renderReport(shown, { ...text, evidence, withPictures: true }, asOf);
}

function trafficSection({ traffic }: JoinedScan): Markup {
  if (traffic.length === 0) return html``;
  return html`<h2>Seen only in the browser</h2>
${traffic.map(trafficArticle)}`;
}

function trafficArticle({ code, severity, message, fix, where, related, counts }: JoinedTraffic): Markup {
  return html`<article>
<header><h3>${TRAFFIC_PROBLEMS[code].title}</h3><span class="tag ${severity}">${ENGLISH(severity)}</span></header>
<p>${message}</p>
<dl>
<dt>Fix</dt><dd>${fix}</dd>
<dt>Location</dt><dd>${[where, ...related].map(each => locationText(each, ENGLISH)).join(' and ')}</dd>
${counts ? '' : html`<dt>Score</dt><dd>doesn’t count, because a finding in this report already covers the problem</dd>`}
<dt>Rule</dt><dd>${code}</dd>
</dl>
</article>
`;
}

function unseenSection({ unseen }: JoinedScan): Markup {
  if (unseen.length === 0) return html``;
  return html`<h2>Not seen</h2>
<ul>${unseen.map(sentence => html`<li>${sentence}</li>`)}</ul>
`;
}

function refutedSection(
  verdicts: readonly { finding: ScanResult['findings'][number]; verdict: string; evidence: string }[],
): Markup {
  const refuted = verdicts.filter(({ verdict }) => verdict === 'refuted');
  if (refuted.length === 0) return html``;
  return html`<h2>Refuted by the browser</h2>
<p class="soft">The code suggests these problems, but the browser shows that they don’t occur. They don’t lower the score.</p>
<ul>${refuted.map(({ finding, evidence }) => html`<li>${finding.message} <span class="soft">${evidence}</span></li>`)}</ul>
`;
}

function timeline(page: RenderedPage, pictures: readonly StepPicture[]): Markup {
  return html`<h2>Events, step by step</h2>
${page.phases.map(step => stepSection(step, page, pictures))}`;
}

function stepSection(step: PhaseRecord, page: RenderedPage, pictures: readonly StepPicture[]): Markup {
  const isHere = (each: { readonly phase: Phase; readonly step: VisitStep }) =>
    each.phase === step.phase && each.step === step.step;
  const beacons = page.beacons.filter(isHere);
  const [picture] = pictures.filter(isHere);
  const title = stepTitle(step);
  return html`<article class="step">
<header><h3>${title}</h3><span class="soft">${stepNote(step)}</span></header>
<div class="seen">
${picture ? html`<img alt="The page: ${title}" src="data:image/png;base64,${picture.png}">` : ''}
<div>
${beacons.length === 0 ? html`<p class="soft">${step.skipped === null ? 'The page didn’t send an event to a known vendor.' : ''}</p>` : html`<ol>${beacons.map(beacon => eventItem(beacon, isDeclined(page)))}</ol>`}
${nameList(
  'Cookies',
  step.cookies.map(({ name, domain }) => `${name} (${domain})`),
)}${nameList('Browser storage', step.storage)}</div>
</div>
</article>
`;
}

/** Maximum number of cookie names or storage entry names in a list. */
const MAX_NAMES = 40;
const MAX_PARAMETERS = 8;

/** Returns a collapsed list of cookie names or storage entry names. */
function nameList(title: string, names: readonly string[]): Markup {
  if (names.length === 0) return html``;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return html`<details><summary>${title}: ${names.length}</summary><p class="soft">${names
    .slice(0, MAX_NAMES)
    .map(name => redact(name))
    .join(', ')}${more}</p></details>
`;
}

/** Returns the event parameters that have known values. */
function parametersOf({ parameters }: RecordedBeacon): string[] {
  const known = [...parameters.values].flatMap(([name, value]) =>
    value.kind === 'known' && value.value !== null && value.value !== '' ? [`${name}: ${value.value}`] : [],
  );
  return known.slice(0, MAX_PARAMETERS);
}

function stepNote({ step, skipped, decision, banner, complete, cookies }: PhaseRecord): string {
  if (skipped !== null) return `skipped: ${SKIPPED_STEPS[skipped]}`;
  if (step === 'page' && decision === 'none') return 'the scan couldn’t make a consent choice';
  const parts = [
    ...(step === 'page' && banner !== null ? [`in the ${banner} banner`] : []),
    `${cookies.length} ${cookies.length === 1 ? 'cookie' : 'cookies'}`,
    ...(complete ? [] : ['incomplete']),
  ];
  return parts.join(', ');
}

function eventItem(beacon: RecordedBeacon, declined: boolean): Markup {
  const { ms, vendor, event, id, event_id } = beacon;
  const isEarly = ignoresChoice(beacon) && (beacon.phase === 'load' || declined);
  const details = [id, `from ${senderName(beacon)}`, event_id === null ? null : `event ID ${event_id}`].filter(
    each => each !== null,
  );
  return html`<li><span class="time">${(ms / 1000).toFixed(1)} s</span> <strong>${VENDOR_NAMES[vendor]}</strong> ${event ?? 'unnamed event'}
${isEarly ? html`<span class="tag error">without consent</span>` : ''}<br><span class="soft">${[...details, ...parametersOf(beacon)].join(', ')}</span></li>
`;
}
