import { type CatalogRule, catalog, resolveCitation } from '@compliance/core/entry';
import { sourcesOf } from './certificate-sources.ts';
import { bullets, markdown, type ReferencePage, type ReferenceSection } from './page.ts';

const URI = 'compliance://rules/certificate';

const ROLES: Record<CatalogRule['role'], string> = {
  rule: 'Certificates cite this rule.',
  process: "Certificates don't cite this rule, because the rule describes procedures or labels.",
  category_ban: "Certificates don't cite this rule, because the rule bans the whole product category.",
  not_listed: "This rule isn't on either of CPSC's lists of rules that certificates cite.",
};

/** Pages by ID, such as `16-cfr-1203`. */
const pages: ReadonlyMap<string, ReferencePage> = new Map(catalog.rules.map(rule => [idOf(rule), rulePage(rule)]));

/** The CPSC rules in the catalog. Pages can be looked up by ID, citation, or name, such as `bicycle helmets`. */
export const certificateRules: ReferenceSection = {
  name: 'certificate-rules',
  title: 'Rules that certificates cite',
  description:
    'CPSC rules, each with the types of certificates that cite it. Read a rule at compliance://rules/certificate/{id}.',
  uri: URI,
  index: () =>
    markdown(
      '# Rules that certificates cite',
      `Catalog ${catalog.version}. The catalog is based on CPSC's lists from 2024, so newer rules might be missing.`,
      bullets(
        catalog.rules.map(
          rule => `\`${idOf(rule)}\`: ${rule.citation}, ${rule.subject} (${rule.certificates.join(', ') || rule.role})`,
        ),
      ),
    ),
  ids: () => pages.keys(),
  page: id => pages.get(id) ?? pageOfCitation(id),
};

function pageOfCitation(citation: string): ReferencePage | undefined {
  const { rule } = resolveCitation(citation);
  return rule ? pages.get(idOf(rule)) : undefined;
}

function idOf({ citation }: CatalogRule): string {
  return citation.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function rulePage(rule: CatalogRule): ReferencePage {
  const { citation, subject, certificates, role, children_only, ban, typical_standard, test_exclusions = [] } = rule;
  const { sources } = sourcesOf(rule.sources);
  const id = idOf(rule);
  return {
    kind: 'certificate_rule',
    id,
    title: `${citation}: ${subject}`,
    uri: `${URI}/${id}`,
    ...{ known_through: catalog.known_through, sources },
    markdown: markdown(
      `# ${citation}: ${subject}`,
      bullets([
        ROLES[role],
        ...(certificates.length > 0 ? [`Certificate types: ${certificates.join(', ')}`] : []),
        ...(children_only ? ["Applies only to children's products, which need a Children's Product Certificate."] : []),
        ...(ban ? ['This rule is a ban.'] : []),
        ...(typical_standard === null ? [] : [`Typical test standard (not confirmed): ${typical_standard}`]),
      ]),
      rule.note,
      test_exclusions.length > 0 &&
        `## Exclusions from testing\n\n${bullets(test_exclusions.map(each => `${each.provision}: ${each.covers}`))}`,
      `## Sources\n\n${bullets(sources)}`,
    ),
  };
}
