import type { Finding } from '../model/finding.ts';
import type { RuleMeta, Severity } from '../model/rule.ts';
import { pageRules } from '../rules/rules.gen.ts';
import { fingerprint } from '../scan/fingerprint.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { SiteFinding, SiteScan } from '../site/site-scan.ts';
import { escapeMarkdown, plainRuleText } from './rule-text.ts';

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
 * Returns the findings of a page scan or a site scan as a SARIF 2.1.0 log, which CI systems and code scanning tools can
 * import. A finding keeps its `fingerprint` when the finding moves within the page. In a site scan, a finding's location is
 * on one of the affected pages, and `seen_on` lists the types of all affected pages.
 *
 * @param version tool version to include in the log
 * @example sarif(scan(capture, { asOf: '2026-11-21' }), '0.1.0').version // '2.1.0'
 */
export function sarif(result: ScanResult | SiteScan, version: string): SarifLog {
  const metas = new Map(pageRules.map(({ meta }) => [meta.id, meta]));
  const ids = [...new Set(result.findings.map(finding => finding.rule_id))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Portfolio Compliance pixel scan',
            version,
            rules: ids.map(id => ruleOf(id, metas.get(id), result.findings)),
          },
        },
        invocations: [{ executionSuccessful: result.score !== null }],
        results: result.findings.map(finding => resultOf(finding, ids.indexOf(finding.rule_id))),
        properties: { score: result.score, score_version: result.score_version, ...coverageOf(result) },
      },
    ],
  };
}

const coverageOf = (result: ScanResult | SiteScan): object =>
  'pages' in result ? { pages: result.pages } : { scanned: result.scanned };

function ruleOf(id: string, meta: RuleMeta | undefined, findings: readonly Finding[]): object {
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
    fullDescription: multiformat(`${meta.what} ${meta.why}`),
    help: multiformat(meta.fix),
    defaultConfiguration: { level: LEVELS[meta.severity] },
  };
}

function resultOf(finding: Finding | SiteFinding, ruleIndex: number): object {
  const { where, snippet } = finding;
  return {
    ruleId: finding.rule_id,
    ruleIndex,
    level: LEVELS[finding.severity],
    message: {
      text: `${finding.message} ${plainRuleText(finding.fix)}`,
      markdown: `${escapeMarkdown(finding.message)} ${finding.fix}`,
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: where.url },
          region: {
            startLine: where.line,
            startColumn: where.column,
            ...(snippet === '' ? {} : { snippet: { text: snippet } }),
          },
        },
        logicalLocations: [{ fullyQualifiedName: where.source }],
      },
    ],
    partialFingerprints: { 'ruleIdsAndPlace/v1': fingerprint(finding) },
    properties: {
      ...{ confidence: finding.confidence, state: finding.state, owner: finding.owner, ids: finding.ids },
      ...('seen_on' in finding ? { seen_on: finding.seen_on } : {}),
    },
  };
}

/** Returns rule text in both SARIF formats: plain text and Markdown. */
const multiformat = (text: string): { text: string; markdown: string } => ({
  text: plainRuleText(text),
  markdown: text,
});
