import { useTranslation } from 'react-i18next';
import type { VariantView } from '../../../src/catalog/variant.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, List, Text } from '../../ui/kit/components.ts';

/** Shows whether CPSC flags a variant's code for eFiling. CPSC's group names and rule subjects are in English. */
export function EfilingCard({ efiling }: Pick<VariantView, 'efiling'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status = 'no_code', groups = [], likely_rules: rules = [], asOf = null } = efiling ?? {};
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h3" variant="headingSm">
          {t('catalog.efiling.title')}
        </Text>
        <Text as="p">{t(`catalog.efiling.status.${status}`, { date: asOf && format.day(asOf) })}</Text>
        {groups.length > 0 && (
          <List>
            {groups.map(group => (
              <List.Item key={group}>
                <span lang="en">{group}</span>
              </List.Item>
            ))}
          </List>
        )}
        {rules.length > 0 && (
          <>
            <Text as="p">{t('catalog.efiling.rules')}</Text>
            <List>
              {rules.map(({ citation, subject }) => (
                <List.Item key={citation}>
                  <span lang="en">{subject ? `${citation}: ${subject}` : citation}</span>
                </List.Item>
              ))}
            </List>
          </>
        )}
        <Text as="p" tone="subdued">
          {t('catalog.efiling.ruleDecides')}
        </Text>
      </BlockStack>
    </Card>
  );
}
