import { localizeFinding, localizeRule } from '../localization/localize.ts';
import type { Finding } from '../model/finding.ts';
import type { Where } from '../model/observation.ts';
import type { RuleMeta, Severity } from '../model/rule.ts';
import type { JoinedFinding, JoinedScan, JoinedTraffic } from '../rendered/join.ts';
import { TRAFFIC_PROBLEMS, trafficProblem } from '../rendered/traffic.ts';
import { pageRules } from '../rules/rules.gen.ts';
import { fingerprint } from '../scan/fingerprint.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { SiteFinding, SiteScan } from '../site/site-scan.ts';
import { escapeMarkdown, plainRuleText } from './rule-text.ts';
import { type ReportText, type ReportTranslation, reportText } from './texts.ts';

/** A SARIF 2.1.0 log. Only the fields that callers need are typed. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly object[];
}

const LEVELS: Readonly<Record<Severity, 'note' | 'warning' | 'error'>> = {
  info: 'note',
  warn: 'warning',
  error: 'error',
};

/**
 * Returns the findings from a page scan or a site scan as a SARIF 2.1.0 log, which CI systems and code scanning tools
 * can import. A finding keeps its `fingerprint` when the finding moves within the page. In a site scan, a finding's
 * location is on one of the affected pages, and `seen_on` lists the types of all affected pages.
 *
 * With a rendering, the result for each finding also contains the verdict and its evidence. The log also contains a
 * result for each problem in the traffic, unless a finding already reports the problem. The score reflects the verdicts
 * and these problems. Refuted findings aren't results, but the run's properties list them with their evidence.
 *
 * @param version tool version to include in the log
 * @param joined comparison of the page scan with a rendering, in the log's language
 * @param translation language of the rules and findings, from `@compliance/translations`; null for English
 * @example sarif(scan(capture, { asOf: '2026-11-21' }), '0.1.0').version // '2.1.0'
 */
export function sarif(
  result: ScanResult | SiteScan,
  version: string,
  joined: JoinedScan | null = null,
  translation: ReportTranslation | null = null,
): SarifLog {
  const t = reportText(translation);
  const metas = new Map(
    pageRules.map(({ meta }) => [meta.id, translation ? localizeRule(meta, translation) : meta] as const),
  );
  const findings: readonly (Finding | SiteFinding)[] = translation
    ? result.findings.map(finding => localizeFinding(finding, translation))
    : result.findings;
  const verdicts = findings.map((finding, index) => ({ finding, joined: joined?.findings[index] ?? null }));
  const kept = verdicts.filter(each => each.joined?.verdict !== 'refuted');
  const traffic = joined?.traffic.filter(({ counts }) => counts) ?? [];
  const ids = [...new Set(kept.map(({ finding }) => finding.rule_id))].sort();
  const codes = [...new Set(traffic.map(({ code }) => code))].sort();
  const score = joined ? joined.score : result.score;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Portfolio Compliance pixel scan',
            version,
            language: translation?.locale ?? 'en-US',
            rules: [
              ...ids.map(id => ruleOf(id, metas.get(id), findings, t)),
              ...codes.map(code => trafficRule(code, translation)),
            ],
          },
        },
        invocations: [{ executionSuccessful: score !== null }],
        results: [
          ...kept.map(each => resultOf(each.finding, ids.indexOf(each.finding.rule_id), each.joined, t)),
          ...traffic.map(found => trafficResult(found, ids.length + codes.indexOf(found.code))),
        ],
        properties: {
          ...{ score, score_version: result.score_version, ...coverageOf(result) },
          ...(joined && {
            static_score: result.score,
            refuted: joined.findings.filter(isRefuted),
            unseen: joined.unseen,
          }),
        },
      },
    ],
  };
}

const isRefuted = ({ verdict }: JoinedFinding): boolean => verdict === 'refuted';

const trafficRule = (code: JoinedTraffic['code'], translation: ReportTranslation | null): object => {
  const { title, fix } = trafficProblem(code, translation);
  return {
    ...{ id: code, shortDescription: { text: title }, help: multiformat(fix) },
    defaultConfiguration: { level: LEVELS[TRAFFIC_PROBLEMS[code].severity] },
  };
};

function trafficResult(found: JoinedTraffic, ruleIndex: number): object {
  const { code, severity, vendor, id, event, message, fix, where, related, initiator } = found;
  const ids = [vendor, ...(id === null ? [] : [id]), ...(event === null ? [] : [event])];
  return {
    ...{ ruleId: code, ruleIndex, level: LEVELS[severity] },
    message: { text: `${message} ${fix}`, markdown: `${escapeMarkdown(message)} ${escapeMarkdown(fix)}` },
    locations: [locationOf(where)],
    ...(related.length > 0 && { relatedLocations: related.map(each => locationOf(each)) }),
    partialFingerprints: { 'ruleIdsAndPlace/v1': fingerprint({ rule_id: code, variant: null, ids, where }) },
    properties: { verdict: 'traffic', vendor, ids: id === null ? [] : [id], event, initiator },
  };
}

const locationOf = ({ source, line, column, url }: Where, snippet = ''): object => ({
  physicalLocation: {
    artifactLocation: { uri: url },
    region: {
      ...{ startLine: line, startColumn: column },
      ...(snippet === '' ? {} : { snippet: { text: snippet } }),
    },
  },
  logicalLocations: [{ fullyQualifiedName: source }],
});

const coverageOf = (result: ScanResult | SiteScan): object =>
  'pages' in result ? { pages: result.pages } : { scanned: result.scanned };

function ruleOf(id: string, meta: RuleMeta | undefined, findings: readonly Finding[], t: ReportText): object {
  if (!meta) {
    const { message, fix } = findings.find(finding => finding.rule_id === id)!;
    return {
      id,
      shortDescription: { text: message },
      help: multiformat(fix),
      defaultConfiguration: { level: 'note' },
    };
  }
  return {
    id,
    shortDescription: { text: meta.title },
    fullDescription: multiformat(t('two_sentences', { first: meta.what, second: meta.why })),
    help: multiformat(meta.fix),
    defaultConfiguration: { level: LEVELS[meta.severity] },
  };
}

function resultOf(
  finding: Finding | SiteFinding,
  ruleIndex: number,
  joined: JoinedFinding | null,
  t: ReportText,
): object {
  const { where, snippet, message, fix } = finding;
  return {
    ruleId: finding.rule_id,
    ruleIndex,
    level: LEVELS[finding.severity],
    message: {
      text: t('two_sentences', { first: message, second: plainRuleText(fix) }),
      markdown: t('two_sentences', { first: escapeMarkdown(message), second: fix }),
    },
    locations: [locationOf(where, snippet)],
    partialFingerprints: { 'ruleIdsAndPlace/v1': fingerprint(finding) },
    properties: {
      ...{ confidence: finding.confidence, state: finding.state, owner: finding.owner, ids: finding.ids },
      ...('seen_on' in finding ? { seen_on: finding.seen_on } : {}),
      ...(joined && { verdict: joined.verdict, evidence: joined.evidence }),
    },
  };
}

/** Returns rule text in both SARIF formats: plain text and Markdown. */
const multiformat = (text: string): { text: string; markdown: string } => ({
  text: plainRuleText(text),
  markdown: text,
});
