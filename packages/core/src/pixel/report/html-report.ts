import type { Finding } from '../model/finding.ts';
import type { Tag } from '../model/inventory.ts';
import type { Severity } from '../model/rule.ts';
import { pageRules } from '../rules/rules.gen.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { ScoreLine } from '../score/score.ts';
import { html, type Markup } from './markup.ts';
import { ruleTextMarkup } from './rule-text.ts';
import { REPORT_STYLE } from './style.ts';

const SEVERITIES: Readonly<Record<Severity, { word: string; title: string }>> = {
  error: { word: 'Error', title: 'Data is lost or exposed' },
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
  not_all_seen: "The scan couldn't see the whole page",
  one_error: 'One error keeps the score below 80',
  two_errors: 'Two errors keep the score below 70',
} as const;

/**
 * Renders a scan as a single HTML page that users can forward or print. The report doesn't run scripts or make
 * requests, and all text from the store is escaped.
 *
 * @param asOf scan date in the form YYYY-MM-DD
 * @example htmlReport(scan(capture, { asOf: '2026-11-21' }), '2026-11-21').startsWith('<!doctype html>') // true
 */
export function htmlReport(result: ScanResult, asOf: string): string {
  const { scanned, shopify, severity_counts: counts } = result;
  const host = hostOf(scanned.url);
  const theme = shopify.theme?.name ? `, theme ${shopify.theme.name}` : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Pixel scan of ${host}, ${asOf}</title>
<style>${{ markup: REPORT_STYLE }}</style>
</head>
<body>
<main>
<div class="top">
<div>
<h1>Pixel scan of ${host}</h1>
<p class="soft">${asOf} · ${scanned.url}${theme}</p>
<p>${verdict(result)}</p>
<ul class="counts">
${(['error', 'warn', 'info'] as const)
  .filter(severity => counts[severity] > 0)
  .map(severity => html`<li class="${severity}">${counted(counts[severity], SEVERITIES[severity].word)}</li>`)}
</ul>
</div>
${result.score === null ? '' : dial(result.score)}
</div>
${(['error', 'warn', 'info'] as const).map(severity => group(result.findings, severity))}
${tagsTable(result.inventory.tags)}
${thirdParties(result)}
${breakdown(result)}
<footer>
<p>The scan analyzed ${counted(scanned.scripts, 'script')} on the page as served, without running any code. A scan can't see the
contents of Tag Manager containers or custom pixels.</p>
<p>Portfolio Compliance, score version ${result.score_version}. Not legal advice.</p>
</footer>
</main>
</body>
</html>
`.markup;
}

function verdict({ score, not_scored, severity_counts: { error, warn } }: ScanResult): string {
  if (score === null) return `This page couldn't be scored: ${not_scored}.`;
  if (error > 0)
    return error === 1
      ? '1 problem causes data loss or exposure. Fix it first.'
      : `${error} problems cause data loss or exposure. Fix them first.`;
  return warn > 0 ? 'Nothing is broken, but some issues are worth fixing.' : 'Nothing to fix on this page.';
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

function group(findings: readonly Finding[], severity: Severity): Markup {
  const own = findings.filter(finding => finding.severity === severity);
  if (own.length === 0) return html``;
  return html`<h2>${SEVERITIES[severity].title}</h2>
${own.map(article)}`;
}

function article(finding: Finding): Markup {
  const meta = pageRules.find(rule => rule.meta.id === finding.rule_id)?.meta;
  const { word } = SEVERITIES[finding.severity];
  const { where } = finding;
  const line = where.line > 1 || where.column > 1 ? `, line ${where.line}, column ${where.column}` : '';
  return html`<article>
<header><h3>${meta?.title ?? finding.message}</h3><span class="tag ${finding.severity}">${word}</span></header>
${meta ? html`<p>${finding.message}${finding.confidence === 'possible' ? " (possible: can't be confirmed from the page alone)" : ''}</p><p class="soft">${ruleTextMarkup(meta.why)}</p>` : ''}
<dl>
<dt>Fix</dt><dd>${ruleTextMarkup(finding.fix)}</dd>
<dt>Location</dt><dd>${where.source}${line}</dd>
${meta ? html`<dt>Fix in</dt><dd>${OWNERS[finding.owner]}</dd><dt>State</dt><dd>${STATES[finding.state]}</dd>` : ''}
${finding.since ? html`<dt>In effect since</dt><dd>${finding.since}</dd>` : ''}
${finding.escalates_on ? html`<dt>Severity increases</dt><dd>${finding.escalates_on}</dd>` : ''}
<dt>Rule</dt><dd>${finding.rule_id}</dd>
</dl>
${finding.snippet === '' ? '' : html`<pre>${finding.snippet}</pre>`}
</article>
`;
}

function tagsTable(tags: readonly Tag[]): Markup {
  if (tags.length === 0) return html`<h2>Tags on the page</h2><p>No tags found.</p>`;
  return html`<h2>Tags on the page</h2>
<div class="wide"><table>
<thead><tr><th>Vendor</th><th>Kind</th><th>ID</th><th>Source</th><th>State</th></tr></thead>
<tbody>
${tags.map(
  tag => html`<tr><td>${tag.vendor}</td><td>${words(tag.kind)}</td><td>${tag.id ?? 'unreadable'}</td><td>${words(tag.channel)}</td><td>${STATES[tag.state]}</td></tr>
`,
)}</tbody>
</table></div>`;
}

function thirdParties({ inventory: { third_parties } }: ScanResult): Markup {
  if (third_parties.length === 0) return html``;
  return html`<h2>Third parties that the page contacts</h2>
<div class="wide"><table>
<thead><tr><th>Company</th><th>Kind</th><th>Host</th></tr></thead>
<tbody>
${third_parties.map(
  ({ company, category, host }) => html`<tr><td>${company}</td><td>${words(category)}</td><td>${host}</td></tr>
`,
)}</tbody>
</table></div>`;
}

function breakdown({ score, score_breakdown }: ScanResult): Markup {
  if (score === null || score_breakdown.length === 0) return html``;
  return html`<h2>Score breakdown</h2>
<table>
<tbody>
<tr><td>Maximum score</td><td class="number">100</td></tr>
${score_breakdown.map(
  line => html`<tr><td>${lineName(line)}</td><td class="number">${line.points < 0 ? '+' : '−'}${Math.abs(line.points)}</td></tr>
`,
)}<tr><th>Score</th><th class="number">${score}</th></tr>
</tbody>
</table>`;
}

function lineName(line: ScoreLine): string {
  if ('cap' in line) return CAPS[line.cap];
  if ('floor' in line) return 'Scores never go below 0';
  const title = pageRules.find(rule => rule.meta.id === line.rule_id)?.meta.title ?? line.rule_id;
  return line.count > 1 ? `${title} (${line.count} times)` : title;
}

function counted(count: number, one: string): string {
  return `${count} ${one.toLowerCase()}${count === 1 ? '' : 's'}`;
}

function words(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

/** Returns the host of an absolute URL. Returns other text unchanged, such as a theme file path. */
function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}
