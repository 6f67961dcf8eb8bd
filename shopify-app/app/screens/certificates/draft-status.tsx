import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Check } from '../../../src/certificates/draft.ts';
import { BlockStack, Button, Card, List, Text } from '../../ui/kit/components.ts';
import { focusField, leafOf } from './fields.ts';

/** Returns the labels for the form section and field at a dotted path. */
function fieldName(t: TFunction, path: string): string {
  const [section = '', index] = path.split('.');
  const number = Number(index) + 1;
  const part = Number.isNaN(number)
    ? t(`certificates.section.${section}`, { defaultValue: section })
    : t(`certificates.entry.${section}`, { number, defaultValue: section });
  const field = t(`certificates.field.${leafOf(path)}`, { defaultValue: '' });
  return path.includes('.') && field ? `${part}: ${field}` : part;
}

/** Describes a missing detail that 16 CFR 1110.11 requires. */
export const missingText = (t: TFunction, path: string): string =>
  t(`certificates.missing.${path.replaceAll('.', '_')}`, { defaultValue: fieldName(t, path) });

/** Describes a warning about a certificate. */
export const warningText = (t: TFunction, { code, message }: Check['warnings'][number]): string =>
  t(`certificates.warning.${code}`, { defaultValue: message });

/** Describes a statement that can't be correct. */
export const contradictionText = (t: TFunction, { code, message }: Check['contradictions'][number]): string =>
  t(`certificates.contradiction.${code}`, { defaultValue: message });

/** Lists a draft's invalid fields, missing details, contradictions, and warnings. Each entry links to its field. */
export function DraftStatus({ check, saved }: { readonly check: Check; readonly saved: string }) {
  const { t } = useTranslation();
  const { issues, missing, contradictions, warnings } = check;
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
          <Text as="p">
            {issues.length > 0
              ? t('certificates.check.issues', { count: issues.length })
              : missing?.length === 0
                ? contradictions.length === 0 && t('certificates.check.complete')
                : t('certificates.check.missing', { count: missing?.length ?? 0 })}
          </Text>
        </div>
        {issues.length > 0 && (
          <List>
            {issues.map(({ path, code }) => (
              <List.Item key={path}>
                {fieldLink(path, `${fieldName(t, path)}: ${t(`certificates.fault.${code}`)}`)}
              </List.Item>
            ))}
          </List>
        )}
        {missing && missing.length > 0 && (
          <List>
            {missing.map(({ path, element }) => (
              <List.Item key={path}>{fieldLink(path, `${missingText(t, path)} (${element})`)}</List.Item>
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
                    `${fieldName(t, contradiction.path)}: ${contradictionText(t, contradiction)}`,
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
