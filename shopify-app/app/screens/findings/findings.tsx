import { useCallback, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingsView } from '../../../src/findings/findings.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Banner, BlockStack, Button, Card, Link, Page, Text } from '../../ui/kit/components.ts';
import { queryString } from '../../ui/query-string.ts';
import { useFocusFallback } from '../../ui/use-focus-fallback.ts';
import { AcceptForm, type AcceptFormProps } from './accept-form.tsx';
import { FindingFilters } from './filters.tsx';
import { FindingTableRow } from './row.tsx';

/** Data and callbacks for the findings list. */
export interface FindingsProps extends FindingsView, Pick<AcceptFormProps, 'faults' | 'busy'> {
  readonly onAccept: (fingerprints: readonly string[], fields: { reason: string; until: string }) => void;
}

/** Lists the store's findings that match the filters. */
export function Findings({
  rows,
  next,
  counts,
  rules,
  places,
  asked,
  scanned,
  traffic,
  timeZone,
  faults,
  busy,
  onAccept,
}: FindingsProps) {
  const { t } = useTranslation();
  const focus = useFocusFallback(counts.accepted);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // The acceptance form might render slightly later than the checkboxes.
  const deferred = useDeferredValue(chosen);
  const selected = rows.filter(({ fingerprint }) => deferred.has(fingerprint)).map(({ fingerprint }) => fingerprint);
  const choose = useCallback(
    (fingerprint: string, on: boolean) =>
      setChosen(before => {
        const after = new Set(before);
        if (on) after.add(fingerprint);
        else after.delete(fingerprint);
        return after;
      }),
    [],
  );
  return (
    <Page
      title={t('app.nav.findings')}
      subtitle={t('findings.summary', {
        open: counts.open - counts.accepted - counts.refuted,
        accepted: counts.accepted,
        fixed: counts.fixed,
      })}
    >
      <BlockStack gap="400">
        <FindingFilters asked={asked} rules={rules} places={places} />
        {!scanned && (
          <Banner title={t('findings.notScanned')} action={{ content: t('findings.goHome'), url: '/app' }} />
        )}
        {asked.status === 'open' && counts.refuted > 0 && (
          <Banner
            title={t('findings.refutedCount', { count: counts.refuted })}
            action={{ content: t('findings.viewRefuted'), url: '/app/findings?status=refuted' }}
          />
        )}
        {asked.status === 'open' && traffic > 0 && (
          <Banner
            tone="warning"
            title={t('findings.traffic', { count: traffic })}
            action={{ content: t('findings.browser.link'), url: '/app/browser-check' }}
          />
        )}
        <div ref={focus} tabIndex={-1} style={{ outline: 'none' }}>
          <Card padding="0">
            {rows.length === 0 ? (
              <div style={{ padding: 'var(--p-space-400)' }}>
                <Text as="p">{t(scanned ? `findings.empty.${asked.status}` : 'findings.empty.never')}</Text>
              </div>
            ) : (
              <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {rows.map(row => (
                  <FindingTableRow
                    key={row.fingerprint}
                    row={row}
                    timeZone={timeZone}
                    chosen={asked.status === 'open' || asked.status === 'refuted' ? chosen.has(row.fingerprint) : null}
                    onChoose={choose}
                  />
                ))}
              </ul>
            )}
          </Card>
        </div>
        {selected.length > 0 && (
          <Card>
            <BlockStack gap="300">
              <Text as="h2" variant="headingMd">
                {t('findings.acceptMany', { count: selected.length })}
              </Text>
              <AcceptForm faults={faults} busy={busy} onSubmit={fields => onAccept(selected, fields)} />
            </BlockStack>
          </Card>
        )}
        <InlineRow>
          {asked.cursor && (
            <Link url={`/app/findings${queryString({ ...asked, cursor: undefined })}`}>{t('findings.firstPage')}</Link>
          )}
          {next && (
            <Button url={`/app/findings${queryString({ ...asked, cursor: next })}`}>{t('findings.nextPage')}</Button>
          )}
          {rows.length > 0 && (
            <DownloadButton
              url={`/app/findings-csv${queryString({ ...asked, cursor: undefined })}`}
              name="findings.csv"
            >
              {t('findings.download')}
            </DownloadButton>
          )}
        </InlineRow>
      </BlockStack>
    </Page>
  );
}
