import type { Finding } from '../model/finding.ts';
import type { Tag } from '../model/inventory.ts';
import type { Where } from '../model/observation.ts';
import type { Severity } from '../model/rule.ts';
import { TRAFFIC_PROBLEMS } from '../rendered/traffic.ts';
import { pageRules } from '../rules/rules.gen.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { ScoreLine } from '../score/score.ts';
import { SITE_PAGE_LABELS, type SitePageType } from '../site/page-type.ts';
import type { SiteFinding, SiteTag } from '../site/site-scan.ts';
import { html, type Markup } from './markup.ts';
import { ruleTextMarkup } from './rule-text.ts';
import { REPORT_STYLE } from './style.ts';

/** Names of the severities, and headings for the findings with each severity. */
export const SEVERITIES: Readonly<Record<Severity, { word: string; title: string }>> = {
  error: { word: 'Error', title: 'Data is lost, incorrect, or exposed' },
  warn: { word: 'Warning', title: 'Worth fixing' },
  info: { word: 'Note', title: 'Good to know' },
};

const OWNERS: Readonly<Record<Finding['owner'], string>> = {
  theme: 'the theme’s code',
  shopify_admin: 'Shopify admin',
  app: 'an app’s settings',
  gtm: 'Google Tag Manager',
  checkout: 'the checkout settings',
};

const STATES: Readonly<Record<Finding['state'], string>> = {
  run: 'runs when the page loads',
  later: 'runs after an event or a delay',
  gated: 'waits for consent',
  config: 'is loaded by Shopify',
  inert: 'does not run',
  never_runs: 'never runs',
};

const CAPS = {
  not_all_seen: "The scan couldn't see the whole",
  one_error: 'One error keeps the score below 80',
  two_errors: 'Two errors keep the score below 70',
} as const;

/** The parts of a scan that page reports and site reports show in the same way. */
interface Reported {
  readonly score: number | null;
  readonly score_breakdown: readonly ScoreLine[];
  readonly score_version: number;
  readonly severity_counts: ScanResult['severity_counts'];
  readonly findings: readonly (Finding | SiteFinding)[];
  readonly inventory: { readonly tags: readonly (Tag | SiteTag)[] } & Pick<ScanResult['inventory'], 'third_parties'>;
}

/** Text and sections that differ between page reports and site reports. */
interface ReportText {
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
}

const SEVERITY_ORDER = ['error', 'warn', 'info'] as const;

/** Renders a report as a single HTML page, which doesn't run scripts or make requests. */
export function renderReport(
  result: Reported,
  { subject, title, subtitle, verdict, overview, coverage, evidence = [], withPictures = false }: ReportText,
  asOf: string,
): string {
  const { severity_counts: counts } = result;
  return html`<!doctype html>
<html lang="en">
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
  severity => html`<li class="${severity}">${counted(counts[severity], SEVERITIES[severity].word)}</li>`,
)}
</ul>
</div>
${result.score === null ? '' : dial(result.score)}
</div>
${overview}${SEVERITY_ORDER.map(severity => group(result.findings, severity, evidence))}
${tagsTable(result.inventory.tags, subject)}
${thirdParties(result.inventory.third_parties, subject)}
${breakdown(result, subject)}
<footer>
<p>${coverage}</p>
<p>Portfolio Compliance, score version ${result.score_version}. Not legal advice.</p>
</footer>
</main>
</body>
</html>
`.markup;
}

function dial(score: number): Markup {
  const length = 2 * Math.PI * 42;
  const level = score < 50 ? 'low' : score < 80 ? 'middle' : '';
  return html`<svg class="score" viewBox="0 0 100 100" role="img" aria-label="Score ${score} of 100">
<circle cx="50" cy="50" r="42"/>
<circle class="part ${level}" cx="50" cy="50" r="42" transform="rotate(-90 50 50)" stroke-dasharray="${((length * score) / 100).toFixed(1)} ${length.toFixed(1)}"/>
<text x="50" y="58">${score}</text><text class="of" x="50" y="72">of 100</text>
</svg>`;
}

function group(findings: Reported['findings'], severity: Severity, evidence: readonly (string | null)[]): Markup {
  const own = findings.flatMap((finding, index) =>
    finding.severity === severity ? article(finding, evidence[index] ?? null) : [],
  );
  if (own.length === 0) return html``;
  return html`<h2>${SEVERITIES[severity].title}</h2>
${own}`;
}

function article(finding: Finding | SiteFinding, evidence: string | null): Markup {
  const meta = pageRules.find(rule => rule.meta.id === finding.rule_id)?.meta;
  const { word } = SEVERITIES[finding.severity];
  const { where } = finding;
  const seenOn = 'seen_on' in finding ? finding.seen_on : null;
  return html`<article>
<header><h3>${meta?.title ?? finding.message}</h3><span class="tag ${finding.severity}">${word}</span></header>
${meta ? html`<p>${finding.message}${finding.confidence === 'possible' ? " (possible: can't be confirmed from the page alone)" : ''}</p><p class="soft">${ruleTextMarkup(meta.why)}</p>` : ''}
<dl>
${
  evidence === null
    ? ''
    : html`<dt>Confirmed</dt><dd>${evidence}</dd>
`
}<dt>Fix</dt><dd>${ruleTextMarkup(finding.fix)}</dd>
<dt>Location</dt><dd>${locationText(where)}${seenOn && where.source !== where.url ? ` on ${where.url}` : ''}</dd>
${seenOn ? html`<dt>Seen on</dt><dd>${pageNames(seenOn)}</dd>` : ''}${meta ? html`<dt>Fix in</dt><dd>${OWNERS[finding.owner]}</dd><dt>State</dt><dd>${STATES[finding.state]}</dd>` : ''}
${finding.since ? html`<dt>In effect since</dt><dd>${finding.since}</dd>` : ''}
${finding.escalates_on ? html`<dt>Severity increases</dt><dd>${finding.escalates_on}</dd>` : ''}
<dt>Rule</dt><dd>${finding.rule_id}</dd>
</dl>
${finding.snippet === '' ? '' : html`<pre>${finding.snippet}</pre>`}
</article>
`;
}

/** Returns a location as text, with the line and column if they're known. */
export const locationText = ({ source, line, column }: Where): string =>
  line > 1 || column > 1 ? `${source}, line ${line}, column ${column}` : source;

function tagsTable(tags: Reported['inventory']['tags'], subject: ReportText['subject']): Markup {
  if (tags.length === 0) return html`<h2>Tags on the ${subject}</h2><p>No tags found.</p>`;
  return html`<h2>Tags on the ${subject}</h2>
<div class="wide"><table>
<thead><tr><th>Vendor</th><th>Kind</th><th>ID</th><th>Source</th><th>State</th>${subject === 'site' ? html`<th>Seen on</th>` : ''}</tr></thead>
<tbody>
${tags.map(
  tag => html`<tr><td>${tag.vendor}</td><td>${words(tag.kind)}</td><td>${tag.id ?? 'unreadable'}</td><td>${words(tag.channel)}</td><td>${STATES[tag.state]}</td>${'seen_on' in tag ? html`<td>${pageNames(tag.seen_on)}</td>` : ''}</tr>
`,
)}</tbody>
</table></div>`;
}

function thirdParties(parties: Reported['inventory']['third_parties'], subject: ReportText['subject']): Markup {
  if (parties.length === 0) return html``;
  return html`<h2>Third parties that the ${subject} contacts</h2>
<div class="wide"><table>
<thead><tr><th>Company</th><th>Kind</th><th>Host</th></tr></thead>
<tbody>
${parties.map(
  ({ company, category, host }) => html`<tr><td>${company}</td><td>${words(category)}</td><td>${host}</td></tr>
`,
)}</tbody>
</table></div>`;
}

function breakdown({ score, score_breakdown }: Reported, subject: ReportText['subject']): Markup {
  if (score === null || score_breakdown.length === 0) return html``;
  return html`<h2>Score breakdown</h2>
<table>
<tbody>
<tr><td>Maximum score</td><td class="number">100</td></tr>
${score_breakdown.map(
  line => html`<tr><td>${lineName(line, subject)}</td><td class="number">${line.points < 0 ? '+' : '−'}${Math.abs(line.points)}</td></tr>
`,
)}<tr><th>Score</th><th class="number">${score}</th></tr>
</tbody>
</table>`;
}

function lineName(line: ScoreLine, subject: ReportText['subject']): string {
  if ('cap' in line) return line.cap === 'not_all_seen' ? `${CAPS[line.cap]} ${subject}` : CAPS[line.cap];
  if ('floor' in line) return 'Scores never go below 0';
  const traffic: Readonly<Record<string, { readonly title: string }>> = TRAFFIC_PROBLEMS;
  const title =
    pageRules.find(rule => rule.meta.id === line.rule_id)?.meta.title ?? traffic[line.rule_id]?.title ?? line.rule_id;
  return line.count > 1 ? `${title} (${line.count} times)` : title;
}

/** Returns a count with its noun, such as `2 scripts`. */
export function counted(count: number, one: string): string {
  return `${count} ${one.toLowerCase()}${count === 1 ? '' : 's'}`;
}

const pageNames = (types: readonly SitePageType[]): string => types.map(type => SITE_PAGE_LABELS[type]).join(', ');

function words(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

/** Returns the host of an absolute URL. Returns other text unchanged, such as a theme file path. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}
