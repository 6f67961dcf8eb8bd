import { localizeFinding } from '../localization/localize.ts';
import { formatValue } from '../model/message.ts';
import { vendorName } from '../model/vendor.ts';
import type { JoinedScan, JoinedTraffic } from '../rendered/join.ts';
import type { Phase, PhaseRecord, RecordedBeacon, RenderedPage, VisitStep } from '../rendered/rendered-page.ts';
import { ignoresChoice, isDeclined, senderName } from '../rendered/sent-events.ts';
import { trafficProblem } from '../rendered/traffic.ts';
import { redact } from '../scan/redact.ts';
import type { ScanResult } from '../scan/scan.ts';
import { html, type Markup } from './markup.ts';
import { hostOf, locationText, renderReport, type Wording } from './sections.ts';
import { stepTitle } from './step-title.ts';
import { type ReportText, type ReportTranslation, reportText } from './texts.ts';

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
 * @param joined comparison of the scan with the rendering, in the report's language
 * @param asOf scan date in the form YYYY-MM-DD
 * @param translation language of the report, from `@compliance/translations`; null for English
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
  const wording = { t, translation };
  const overview = html`${trafficSection(joined, wording)}${unseenSection(joined, t)}${timeline(page, pictures, wording)}${refutedSection(verdicts, wording)}`;
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
    overview,
    coverage: coverage.reduce((first, second) => t('two_sentences', { first, second })),
    translation,
  };
  const shown = { ...result, score, score_breakdown, severity_counts, findings: kept.map(({ finding }) => finding) };
  const evidence = kept.map(({ verdict, evidence: reason }) => (verdict === 'confirmed' ? reason : null));
  return renderReport(shown, { ...text, evidence, withPictures: true }, asOf);
}

function trafficSection({ traffic }: JoinedScan, wording: Wording): Markup {
  if (traffic.length === 0) return html``;
  return html`<h2>${wording.t('only_in_browser')}</h2>
${traffic.map(found => trafficArticle(found, wording))}`;
}

function trafficArticle(
  { code, severity, message, fix, where, related, counts }: JoinedTraffic,
  { t, translation }: Wording,
): Markup {
  const places = { and: [where, ...related].map(each => locationText(each, t)) };
  return html`<article>
<header><h3>${trafficProblem(code, translation).title}</h3><span class="tag ${severity}">${t(severity)}</span></header>
<p>${message}</p>
<dl>
<dt>${t('fix')}</dt><dd>${fix}</dd>
<dt>${t('location')}</dt><dd>${formatValue(places, translation ?? undefined)}</dd>
${counts ? '' : html`<dt>${t('score')}</dt><dd>${t('not_counted')}</dd>`}
<dt>${t('rule')}</dt><dd>${code}</dd>
</dl>
</article>
`;
}

function unseenSection({ unseen }: JoinedScan, t: ReportText): Markup {
  if (unseen.length === 0) return html``;
  return html`<h2>${t('not_seen')}</h2>
<ul>${unseen.map(sentence => html`<li>${sentence}</li>`)}</ul>
`;
}

function refutedSection(
  verdicts: readonly { finding: ScanResult['findings'][number]; verdict: string; evidence: string }[],
  { t, translation }: Wording,
): Markup {
  const refuted = verdicts.filter(({ verdict }) => verdict === 'refuted');
  if (refuted.length === 0) return html``;
  const messageOf = (finding: ScanResult['findings'][number]) =>
    (translation ? localizeFinding(finding, translation) : finding).message;
  return html`<h2>${t('refuted_title')}</h2>
<p class="soft">${t('refuted_text')}</p>
<ul>${refuted.map(({ finding, evidence }) => html`<li>${messageOf(finding)} <span class="soft">${evidence}</span></li>`)}</ul>
`;
}

function timeline(page: RenderedPage, pictures: readonly StepPicture[], wording: Wording): Markup {
  return html`<h2>${wording.t('timeline')}</h2>
${page.phases.map(step => stepSection(step, page, pictures, wording))}`;
}

function stepSection(
  step: PhaseRecord,
  page: RenderedPage,
  pictures: readonly StepPicture[],
  wording: Wording,
): Markup {
  const { t } = wording;
  const isHere = (each: { readonly phase: Phase; readonly step: VisitStep }) =>
    each.phase === step.phase && each.step === step.step;
  const beacons = page.beacons.filter(isHere);
  const [picture] = pictures.filter(isHere);
  const title = stepTitle(step, t);
  return html`<article class="step">
<header><h3>${title}</h3><span class="soft">${stepNote(step, t)}</span></header>
<div class="seen">
${picture ? html`<img alt="${t('step_picture', { step: title })}" src="data:image/png;base64,${picture.png}">` : ''}
<div>
${beacons.length === 0 ? html`<p class="soft">${step.skipped === null ? t('no_events') : ''}</p>` : html`<ol>${beacons.map(beacon => eventItem(beacon, isDeclined(page), wording))}</ol>`}
${nameList(
  'cookie_names',
  step.cookies.map(({ name, domain }) => `${name} (${domain})`),
  t,
)}${nameList('storage_names', step.storage, t)}</div>
</div>
</article>
`;
}

/** Maximum number of cookie names or storage keys in a list. */
const MAX_NAMES = 40;
const MAX_PARAMETERS = 8;

/** Returns a collapsed list of cookie names or storage keys. */
function nameList(title: 'cookie_names' | 'storage_names', all: readonly string[], t: ReportText): Markup {
  if (all.length === 0) return html``;
  const names = all
    .slice(0, MAX_NAMES)
    .map(name => redact(name))
    .join(', ');
  const more = all.length - MAX_NAMES;
  return html`<details><summary>${t(title, { count: all.length })}</summary><p class="soft">${more > 0 ? t('more_names', { names, count: more }) : names}</p></details>
`;
}

/** Returns the event parameters that have known values. */
function parametersOf({ parameters }: RecordedBeacon): string[] {
  const known = [...parameters.values].flatMap(([name, value]) =>
    value.kind === 'known' && value.value !== null && value.value !== '' ? [`${name}: ${value.value}`] : [],
  );
  return known.slice(0, MAX_PARAMETERS);
}

function stepNote({ step, skipped, decision, banner, complete, cookies }: PhaseRecord, t: ReportText): string {
  if (skipped !== null) return t('step_skipped', { reason: t(`skipped_${skipped}`) });
  if (step === 'page' && decision === 'none') return t('no_choice_made');
  const parts = [
    ...(step === 'page' && banner !== null ? [t('in_banner', { banner })] : []),
    t('cookies', { count: cookies.length }),
    ...(complete ? [] : [t('step_incomplete')]),
  ];
  return parts.join(', ');
}

function eventItem(beacon: RecordedBeacon, declined: boolean, { t, translation }: Wording): Markup {
  const { ms, vendor, event, id, event_id } = beacon;
  const isEarly = ignoresChoice(beacon) && (beacon.phase === 'load' || declined);
  const language = translation ?? undefined;
  const seconds = (ms / 1000).toLocaleString(translation?.locale ?? 'en-US', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const details = [
    ...(id === null ? [] : [id]),
    formatValue(senderName(beacon), language),
    ...(event_id === null ? [] : [t('event_id', { id: event_id })]),
  ];
  return html`<li><span class="time">${t('event_time', { seconds })}</span> <strong>${formatValue(vendorName(vendor), language)}</strong> ${event ?? t('unnamed_event')}
${isEarly ? html`<span class="tag error">${t('without_consent')}</span>` : ''}<br><span class="soft">${[...details, ...parametersOf(beacon)].join(', ')}</span></li>
`;
}
