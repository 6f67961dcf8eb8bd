import { localizeFinding, localizeRule } from '../localization/localize.ts';
import type { Finding } from '../model/finding.ts';
import type { Tag } from '../model/inventory.ts';
import type { Where } from '../model/observation.ts';
import type { RuleMeta, Severity } from '../model/rule.ts';
import { isTrafficCode, trafficProblem } from '../rendered/traffic.ts';
import { pageRules } from '../rules/rules.gen.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { ScoreLine } from '../score/score.ts';
import type { SitePageType } from '../site/page-type.ts';
import type { SiteFinding, SiteTag } from '../site/site-scan.ts';
import { html, type Markup } from './markup.ts';
import { ruleTextMarkup } from './rule-text.ts';
import { REPORT_STYLE } from './style.ts';
import { knownText, type ReportText, type ReportTranslation, reportText } from './texts.ts';

/** The parts of a scan result that look the same in page reports and site reports. */
interface Reported {
  readonly score: number | null;
  readonly score_breakdown: readonly ScoreLine[];
  readonly score_version: number;
  readonly severity_counts: ScanResult['severity_counts'];
  readonly findings: readonly (Finding | SiteFinding)[];
  readonly inventory: { readonly tags: readonly (Tag | SiteTag)[] } & Pick<ScanResult['inventory'], 'third_parties'>;
}

/** Text and sections that differ between page reports and site reports. */
interface ReportParts {
  readonly subject: 'page' | 'site';
  readonly title: string;
  readonly subtitle: string;
  readonly verdict: string;
  /** Section before the findings. */
  readonly overview: Markup;
  readonly coverage: string;
  /** Evidence from a browser for each finding, or null. */
  readonly evidence?: readonly (string | null)[];
  /** Whether the report contains screenshots. */
  readonly withPictures?: boolean;
  /** The language, or null for English. */
  readonly translation: ReportTranslation | null;
}

/** Translated text of a report, with its language. */
export interface Wording {
  readonly t: ReportText;
  readonly translation: ReportTranslation | null;
}

const SEVERITY_ORDER = ['error', 'warn', 'info'] as const;

const COUNTS = { error: 'errors', warn: 'warnings', info: 'notes' } as const;

/** Renders a report as a single HTML page that doesn't run scripts or make requests. */
export function renderReport(
  result: Reported,
  {
    subject,
    title,
    subtitle,
    verdict,
    overview,
    coverage,
    evidence = [],
    withPictures = false,
    translation,
  }: ReportParts,
  asOf: string,
): string {
  const { severity_counts: counts } = result;
  const t = reportText(translation);
  const wording = { t, translation };
  return html`<!doctype html>
<html lang="${translation?.locale ?? 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${withPictures ? '; img-src data:' : ''}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}, ${asOf}</title>
<style>${{ markup: REPORT_STYLE }}</style>
</head>
<body>
<main>
<div class="top">
<div>
<h1>${title}</h1>
<p class="soft">${asOf} · ${subtitle}</p>
<p>${verdict}</p>
<ul class="counts">
${SEVERITY_ORDER.filter(severity => counts[severity] > 0).map(
  severity => html`<li class="${severity}">${t(COUNTS[severity], { count: counts[severity] })}</li>`,
)}
</ul>
</div>
${result.score === null ? '' : dial(result.score, t)}
</div>
${overview}${SEVERITY_ORDER.map(severity => group(result.findings, severity, evidence, wording))}
${tagsTable(result.inventory.tags, subject, t)}
${thirdParties(result.inventory.third_parties, subject, wording)}
${breakdown(result, subject, wording)}
<footer>
<p>${coverage}</p>
<p>${t('footer', { version: result.score_version })}</p>
</footer>
</main>
</body>
</html>
`.markup;
}

function dial(score: number, t: ReportText): Markup {
  const length = 2 * Math.PI * 42;
  const level = score < 50 ? 'low' : score < 80 ? 'middle' : '';
  return html`<svg class="score" viewBox="0 0 100 100" role="img" aria-label="${t('score_of', { score })}">
<circle cx="50" cy="50" r="42"/>
<circle class="part ${level}" cx="50" cy="50" r="42" transform="rotate(-90 50 50)" stroke-dasharray="${((length * score) / 100).toFixed(1)} ${length.toFixed(1)}"/>
<text x="50" y="58">${score}</text><text class="of" x="50" y="72">${t('of_100')}</text>
</svg>`;
}

function group(
  findings: Reported['findings'],
  severity: Severity,
  evidence: readonly (string | null)[],
  wording: Wording,
): Markup {
  const own = findings.flatMap((finding, index) =>
    finding.severity === severity ? article(finding, evidence[index] ?? null, wording) : [],
  );
  if (own.length === 0) return html``;
  return html`<h2>${wording.t(`heading_${severity}`)}</h2>
${own}`;
}

function article(shown: Finding | SiteFinding, evidence: string | null, { t, translation }: Wording): Markup {
  const finding = translation ? localizeFinding(shown, translation) : { ...shown, message_language: null };
  const meta = metaOf(finding.rule_id, translation);
  const { where, confidence, message_language } = finding;
  const message = confidence === 'possible' ? t('possible', { message: finding.message }) : finding.message;
  const location = locationText(where, t);
  const seenOn = 'seen_on' in finding ? finding.seen_on : null;
  const isElsewhere = seenOn !== null && where.source !== where.url;
  return html`<article>
<header><h3>${meta?.title ?? finding.message}</h3><span class="tag ${finding.severity}">${t(finding.severity)}</span></header>
${meta ? html`<p${langAttribute(message_language, translation)}>${message}</p><p class="soft">${ruleTextMarkup(meta.why)}</p>` : ''}
<dl>
${
  evidence === null
    ? ''
    : html`<dt>${t('confirmed')}</dt><dd>${evidence}</dd>
`
}<dt>${t('fix')}</dt><dd>${ruleTextMarkup(finding.fix)}</dd>
<dt>${t('location')}</dt><dd>${isElsewhere ? t('on_page', { location, url: where.url }) : location}</dd>
${seenOn ? html`<dt>${t('seen_on')}</dt><dd>${pageNames(seenOn, t)}</dd>` : ''}${meta ? html`<dt>${t('fix_in')}</dt><dd>${t(`owner_${finding.owner}`)}</dd><dt>${t('state')}</dt><dd>${t(`state_${finding.state}`)}</dd>` : ''}
${finding.since ? html`<dt>${t('since')}</dt><dd>${finding.since}</dd>` : ''}
${finding.escalates_on ? html`<dt>${t('escalates')}</dt><dd>${finding.escalates_on}</dd>` : ''}
<dt>${t('rule')}</dt><dd>${finding.rule_id}</dd>
</dl>
${finding.snippet === '' ? '' : html`<pre>${finding.snippet}</pre>`}
</article>
`;
}

/** Returns a rule's texts in a language, or `undefined` for context findings and rules that no longer exist. */
function metaOf(ruleId: string, translation: ReportTranslation | null): RuleMeta | undefined {
  const meta = pageRules.find(rule => rule.meta.id === ruleId)?.meta;
  return meta && translation ? localizeRule(meta, translation) : meta;
}

/** Returns a `lang` attribute for text in a language other than the report's. */
const langAttribute = (language: string | null, translation: ReportTranslation | null): Markup =>
  language === null || language === (translation?.locale ?? 'en') ? html`` : html` lang="${language}"`;

/** Returns a location as text, with the line and column if they're known. */
export const locationText = ({ source, line, column }: Where, t: ReportText): string =>
  line > 1 || column > 1 ? t('line_and_column', { source, line, column }) : source;

function tagsTable(tags: Reported['inventory']['tags'], subject: ReportParts['subject'], t: ReportText): Markup {
  if (tags.length === 0) return html`<h2>${t(`tags_${subject}`)}</h2><p>${t('no_tags')}</p>`;
  return html`<h2>${t(`tags_${subject}`)}</h2>
<div class="wide"><table>
<thead><tr><th>${t('vendor')}</th><th>${t('kind')}</th><th>${t('id')}</th><th>${t('source')}</th><th>${t('state')}</th>${subject === 'site' ? html`<th>${t('seen_on')}</th>` : ''}</tr></thead>
<tbody>
${tags.map(
  tag => html`<tr><td>${tag.vendor === 'other' ? t('other_vendor') : tag.vendor}</td><td>${words(tag.kind)}</td><td>${tag.id ?? t('unreadable')}</td><td>${t(`channel_${tag.channel}`)}</td><td>${t(`state_${tag.state}`)}</td>${'seen_on' in tag ? html`<td>${pageNames(tag.seen_on, t)}</td>` : ''}</tr>
`,
)}</tbody>
</table></div>`;
}

function thirdParties(
  parties: Reported['inventory']['third_parties'],
  subject: ReportParts['subject'],
  { t, translation }: Wording,
): Markup {
  if (parties.length === 0) return html``;
  return html`<h2>${t(`third_parties_${subject}`)}</h2>
<div class="wide"><table>
<thead><tr><th>${t('company')}</th><th>${t('kind')}</th><th>${t('host')}</th></tr></thead>
<tbody>
${parties.map(
  ({
    company,
    category,
    host,
  }) => html`<tr><td>${company}</td><td>${knownText(`category_${category}`, words(category), translation)}</td><td>${host}</td></tr>
`,
)}</tbody>
</table></div>`;
}

function breakdown({ score, score_breakdown }: Reported, subject: ReportParts['subject'], wording: Wording): Markup {
  const { t } = wording;
  if (score === null || score_breakdown.length === 0) return html``;
  return html`<h2>${t('score_breakdown')}</h2>
<table>
<tbody>
<tr><td>${t('maximum_score')}</td><td class="number">100</td></tr>
${score_breakdown.map(
  line => html`<tr><td>${lineName(line, subject, wording)}</td><td class="number">${line.points < 0 ? '+' : '−'}${Math.abs(line.points)}</td></tr>
`,
)}<tr><th>${t('score')}</th><th class="number">${score}</th></tr>
</tbody>
</table>`;
}

function lineName(line: ScoreLine, subject: ReportParts['subject'], { t, translation }: Wording): string {
  if ('cap' in line) return line.cap === 'not_all_seen' ? t(`cap_not_all_seen_${subject}`) : t(`cap_${line.cap}`);
  if ('floor' in line) return t('floor');
  const { rule_id } = line;
  const { title } = isTrafficCode(rule_id)
    ? trafficProblem(rule_id, translation)
    : (metaOf(rule_id, translation) ?? { title: rule_id });
  return line.count > 1 ? t('repeated', { title, count: line.count }) : title;
}

const pageNames = (types: readonly SitePageType[], t: ReportText): string => types.map(type => t(type)).join(', ');

function words(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

/** Returns the host of an absolute URL. Returns any other text, such as a theme file path, unchanged. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}
