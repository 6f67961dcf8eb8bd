import { contextMetas, pageRules } from '@compliance/core/pixel';
import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../pages/page.ts';
import type scan from '../v0/operations/scan.ts';

type Response = z.output<typeof scan.response>;

const SEVERITIES = {
  error: { label: 'Error', tone: 'bad' },
  warn: { label: 'Warning', tone: 'warn' },
  info: { label: 'Note', tone: '' },
} as const;

/** Maximum number of findings to show. The API returns all findings. */
const MAX_FINDINGS = 30;

const TITLES = new Map([...pageRules.map(({ meta }) => meta), ...contextMetas].map(({ id, title }) => [id, title]));

/** Renders a scan result: the score and the findings, most severe first. */
export function scanResult({ score, severity_counts, findings, shopify, scanned, score_version }: Response): Html {
  const { error, warn, info } = severity_counts;
  const scripts = scanned.scripts === 1 ? '1 script' : `${scanned.scripts} scripts`;
  return html`<div class="scored"><div class="heading"><h3 tabindex="-1">${verdict(error, warn)}</h3>
<p class="small quiet">${scanned.url}${shopify.theme?.name != null && `, theme ${shopify.theme.name}`}</p>
<p>${counted(error, 'error', 'bad')} ${counted(warn, 'warning', 'warn')} ${counted(info, 'note', '')}</p></div>
${dial(score)}</div>
<ul class="rows">${findings.slice(0, MAX_FINDINGS).map(finding)}</ul>
${findings.length > MAX_FINDINGS && html`<p class="small quiet">To get all ${findings.length} findings, <a href="/docs#v0-scan">use the API</a>.</p>`}
<p class="small quiet">${scripts} scanned${scanned.truncated && ', but some content was truncated'}. The scan doesn't run the page's code, and it can't inspect custom pixels, nor Tag Manager containers that weren't fetched. Score version ${score_version}.</p>`;
}

function verdict(error: number, warn: number): string {
  if (error > 0) return 'Tags on this page lose, misreport, or expose data';
  return warn > 0 ? 'No errors, but some tags need attention' : 'No issues found on this page';
}

function counted(count: number, one: string, tone: string): Html {
  if (count === 0) return html``;
  return html`<span class="badge ${tone}">${count === 1 ? `1 ${one}` : `${count} ${one}s`}</span>`;
}

function dial(score: number): Html {
  const length = 2 * Math.PI * 42;
  const level = score < 50 ? 'bad' : score < 80 ? 'warn' : 'good';
  return html`<svg class="dial ${level}" viewBox="0 0 100 100" role="img" aria-label="Score: ${score} out of 100">
<circle cx="50" cy="50" r="42"/><circle class="part" cx="50" cy="50" r="42" transform="rotate(-90 50 50)" stroke-dasharray="${((length * score) / 100).toFixed(1)} ${length.toFixed(1)}"/>
<text x="50" y="57">${score}</text><text class="of" x="50" y="72">out of 100</text></svg>`;
}

function finding({ rule_id, severity, message, where, fix, docs_url }: Response['findings'][number]): Html {
  const { label, tone } = SEVERITIES[severity];
  const line = where.line > 1 || where.column > 1 ? `, line ${where.line}, column ${where.column}` : '';
  return html`<li><div class="between"><span class="name">${TITLES.get(rule_id) ?? rule_id}</span><span class="badge ${tone}">${label}</span></div>
<p>${message}</p>
<p><strong>How to fix:</strong> ${fix}</p>
<p class="small quiet">${where.source}${line} · <a href="${docs_url}">${rule_id}</a></p></li>
`;
}
