import { useTranslation } from 'react-i18next';
import type { HistoryView } from '../../../src/history/history.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Button, Card, InlineStack, Link, Page, Text } from '../../ui/kit/components.ts';
import { Trend } from './trend.tsx';

export const STATE_TONES = { complete: 'success', partial: 'warning', failed: 'critical' } as const;

/** Lists the store's scans, newest first, with their triggers, results, and changes. */
export function History({ rows, next, isFirstPage, trend, timeZone }: HistoryView) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  return (
    <Page title={t('app.nav.history')}>
      <BlockStack gap="400">
        <Trend trend={trend} timeZone={timeZone} />
        <Card padding="0">
          {rows.length === 0 && (
            <div style={{ padding: 'var(--p-space-400)' }}>
              <Text as="p">{t('history.empty')}</Text>
            </div>
          )}
          <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {rows.map(({ id, finishedAt, trigger, state, reason, score, counts, changed }) => (
              <li
                key={id}
                style={{
                  padding: 'var(--p-space-300) var(--p-space-400)',
                  borderBlockEnd: '1px solid var(--p-color-border-secondary)',
                }}
              >
                <BlockStack gap="100">
                  <InlineStack gap="200" blockAlign="center">
                    <Link url={`/app/history/${id}`}>{format.dateTime(finishedAt)}</Link>
                    <Badge tone={STATE_TONES[state]}>{t(`history.state.${state}`)}</Badge>
                    <Text as="span" fontWeight="semibold">
                      {score === null ? t('history.noScore') : t('home.score.of', { score })}
                    </Text>
                  </InlineStack>
                  <Text as="p">
                    {[
                      t(`history.trigger.${trigger}`),
                      reason && t(`history.reason.${reason}`, { defaultValue: reason }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                  <Text as="p" tone="subdued">
                    {t('history.counts', { ...counts })} · {t('history.changes', { ...changed })}
                  </Text>
                </BlockStack>
              </li>
            ))}
          </ul>
        </Card>
        <InlineRow>
          {!isFirstPage && <Link url="/app/history">{t('findings.firstPage')}</Link>}
          {next && <Button url={`/app/history?cursor=${encodeURIComponent(next)}`}>{t('findings.nextPage')}</Button>}
          {rows.length > 0 && (
            <DownloadButton url="/app/history-csv" name="scans.csv">
              {t('findings.download')}
            </DownloadButton>
          )}
        </InlineRow>
      </BlockStack>
    </Page>
  );
}
