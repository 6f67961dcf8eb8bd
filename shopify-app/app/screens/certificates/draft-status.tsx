import type { CertificateKind } from '@compliance/core/entry';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Check } from '../../../src/certificates/draft.ts';
import type { MissingDetail } from '../../../src/certificates/missing-details.ts';
import { BlockStack, Button, Card, InlineStack, List, Text } from '../../ui/kit/components.ts';
import { CertificateBadge } from './certificate-badge.tsx';
import { focusField, leafOf } from './fields.ts';

/**
 * Returns the display name for a dotted path: the label of the form section and, for a field, the label of the field.
 */
export function formFieldName(t: TFunction, path: string): string {
  const variant = /^product_info\.variants\.(\d+)/.exec(path);
  const [section = '', index] = variant ? ['variants', variant[1]] : path.split('.');
  const number = Number(index) + 1;
  const part = Number.isNaN(number)
    ? t(`certificates.section.${section}`, { defaultValue: section })
    : t(`certificates.entry.${section}`, { number, defaultValue: section });
  const field = t(`certificates.field.${leafOf(path)}`, { defaultValue: '' });
  return path.includes('.') && field ? `${part}: ${field}` : part;
}

/** Describes a missing detail that the law requires. */
export function missingText(t: TFunction, { path, rule }: Pick<MissingDetail, 'path' | 'rule'>): string {
  if (rule !== null)
    return t(`certificates.missing.${path === 'cpsc_rules_cited' ? 'expected_rule' : 'third_party_test'}`, { rule });
  return t(`certificates.missing.${path.replaceAll('.', '_')}`, { defaultValue: formFieldName(t, path) });
}

/** Laws that determine what a certificate must contain, by certificate kind. */
const LAWS: Readonly<Record<CertificateKind, string>> = {
  GCC: '16 CFR 1110.11',
  CPC: '16 CFR 1110.11, 15 U.S.C. 2063',
};

/** Describes a warning about a certificate. */
export const warningText = (t: TFunction, { code, message }: Check['warnings'][number]): string =>
  t(`certificates.warning.${code}`, { defaultValue: message });

/** Describes a statement that can't be correct. */
export const contradictionText = (t: TFunction, { code, message }: Check['contradictions'][number]): string =>
  t(`certificates.contradiction.${code}`, { defaultValue: message });

/** Lists a draft's invalid fields, missing details, contradictions, and warnings. Each entry links to its field. */
export function DraftStatus({ check, saved }: { readonly check: Check; readonly saved: string }) {
  const { t } = useTranslation();
  const { kind, status, issues, missing, contradictions, warnings } = check;
  const law = LAWS[kind];
  const fieldLink = (path: string, text: string) => (
    <Button variant="plain" textAlign="left" onClick={() => focusField(path)}>
      {text}
    </Button>
  );
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.check.title')}
        </Text>
        <div role="status">
          <Text as="p" tone="subdued">
            {saved}
          </Text>
          {status && (
            <InlineStack gap="200" blockAlign="center">
              <Text as="p">{t('certificates.check.status')}</Text>
              <CertificateBadge status={status} />
            </InlineStack>
          )}
          <Text as="p">
            {issues.length > 0
              ? t('certificates.check.issues', { count: issues.length })
              : missing?.length === 0
                ? contradictions.length === 0 && t('certificates.check.complete', { law })
                : t('certificates.check.missing', { count: missing?.length ?? 0, law })}
          </Text>
        </div>
        {issues.length > 0 && (
          <List>
            {issues.map(({ path, code }) => (
              <List.Item key={path}>
                {fieldLink(path, `${formFieldName(t, path)}: ${t(`certificates.fault.${code}`)}`)}
              </List.Item>
            ))}
          </List>
        )}
        {missing && missing.length > 0 && (
          <List>
            {missing.map(detail => (
              <List.Item key={`${detail.path} ${detail.rule}`}>
                {fieldLink(detail.path, `${missingText(t, detail)} (${detail.element})`)}
              </List.Item>
            ))}
          </List>
        )}
        {contradictions.length > 0 && (
          <>
            <Text as="h3" variant="headingSm">
              {t('certificates.check.contradictions')}
            </Text>
            <List>
              {contradictions.map(contradiction => (
                <List.Item key={`${contradiction.code} ${contradiction.path}`}>
                  {fieldLink(
                    contradiction.path,
                    `${formFieldName(t, contradiction.path)}: ${contradictionText(t, contradiction)}`,
                  )}
                  {` (${contradiction.citation})`}
                </List.Item>
              ))}
            </List>
          </>
        )}
        {warnings.length > 0 && (
          <>
            <Text as="h3" variant="headingSm">
              {t('certificates.check.look')}
            </Text>
            <List>
              {warnings.map(warning => (
                <List.Item key={`${warning.code} ${warning.path}`}>
                  {fieldLink(warning.path, warningText(t, warning))}
                  {warning.citation && ` (${warning.citation})`}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </BlockStack>
    </Card>
  );
}
