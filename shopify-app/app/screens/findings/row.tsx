import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingListItem } from '../../../src/findings/findings.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, InlineStack, Link, Text } from '../../ui/kit/components.ts';
import { RuleText } from '../../ui/rule-text.tsx';
import { SeverityBadge } from '../../ui/severity-badge.tsx';

/** Renders a finding row. `chosen` is null if the row can't be selected. */
export const FindingTableRow = memo(function Row({
  row,
  timeZone,
  chosen,
  onChoose,
}: {
  readonly row: FindingListItem;
  readonly timeZone: string;
  readonly chosen: boolean | null;
  readonly onChoose: (fingerprint: string, on: boolean) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  return (
    <li
      style={{
        padding: 'var(--p-space-300) var(--p-space-400)',
        borderBlockEnd: '1px solid var(--p-color-border-secondary)',
      }}
    >
      <InlineStack gap="300" wrap={false} blockAlign="start">
        {chosen !== null && (
          // A Polaris checkbox in each row would slow down hydration, because it consists of ten elements.
          <input
            type="checkbox"
            aria-label={t('findings.choose', { title: row.title })}
            checked={chosen}
            onChange={event => onChoose(row.fingerprint, event.currentTarget.checked)}
            style={{
              flex: 'none',
              inlineSize: '1rem',
              blockSize: '1rem',
              margin: 'var(--p-space-100)',
              accentColor: 'var(--p-color-bg-fill-brand)',
            }}
          />
        )}
        <BlockStack gap="100">
          <InlineStack gap="200" blockAlign="center">
            <SeverityBadge severity={row.severity} />
            {row.regressed && <Badge tone="attention">{t('findings.regressed')}</Badge>}
            {row.verdict && (
              <Badge
                tone={row.verdict === 'confirmed' ? 'critical' : row.verdict === 'refuted' ? 'success' : undefined}
              >
                {t(`findings.verdict.${row.verdict}`)}
              </Badge>
            )}
            <Link url={`/app/findings/${row.fingerprint}`}>{row.title}</Link>
          </InlineStack>
          <Text as="p" breakWord>
            <RuleText lang={row.messageLanguage}>{row.message}</RuleText>
          </Text>
          <Text as="p" tone="subdued" breakWord>
            {[
              row.place,
              row.places > 1 && t('findings.morePlaces', { count: row.places - 1 }),
              t('findings.since', { date: format.date(row.firstSeen) }),
              row.fixedAt !== null && t('findings.fixedOn', { date: format.date(row.fixedAt) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </BlockStack>
      </InlineStack>
    </li>
  );
});
