import { Banner, BlockStack, Button, Card, Link, Page, Text } from '@shopify/polaris';
import { useCallback, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingsView } from '../../../src/findings/findings.ts';
import { DownloadButton } from '../../document/download-button.tsx';
import { queryOf } from '../../document/query-of.ts';
import { useFocusKept } from '../../document/use-focus-kept.ts';
import { BetweenCards } from '../between-cards.tsx';
import { AcceptForm, type AcceptFormProps } from './accept-form.tsx';
import { Filters } from './filters.tsx';
import { Row } from './row.tsx';

/** What the list needs besides what it shows. */
export interface FindingsProps extends FindingsView, Pick<AcceptFormProps, 'faults' | 'busy'> {
  readonly onAccept: (fingerprints: readonly string[], fields: { reason: string; until: string }) => void;
}

/** Every finding of the store, by what a merchant wants to see. */
export function Findings({
  rows,
  next,
  counts,
  rules,
  places,
  asked,
  scanned,
  timeZone,
  faults,
  busy,
  onAccept,
}: FindingsProps) {
  const { t } = useTranslation();
  const focus = useFocusKept(counts.accepted);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // The form may come a moment after the tick.
  const ticked = useDeferredValue(chosen);
  const here = rows.filter(({ fingerprint }) => ticked.has(fingerprint)).map(({ fingerprint }) => fingerprint);
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
        open: counts.open - counts.accepted,
        accepted: counts.accepted,
        fixed: counts.fixed,
      })}
    >
      <BlockStack gap="400">
        <Filters asked={asked} rules={rules} places={places} />
        {!scanned && (
          <Banner title={t('findings.notScanned')} action={{ content: t('findings.goHome'), url: '/app' }} />
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
                  <Row
                    key={row.fingerprint}
                    row={row}
                    timeZone={timeZone}
                    chosen={asked.status === 'open' ? chosen.has(row.fingerprint) : null}
                    onChoose={choose}
                  />
                ))}
              </ul>
            )}
          </Card>
        </div>
        {here.length > 0 && (
          <Card>
            <BlockStack gap="300">
              <Text as="h2" variant="headingMd">
                {t('findings.acceptMany', { count: here.length })}
              </Text>
              <AcceptForm faults={faults} busy={busy} onSubmit={fields => onAccept(here, fields)} />
            </BlockStack>
          </Card>
        )}
        <BetweenCards>
          {asked.cursor && (
            <Link url={`/app/findings${queryOf({ ...asked, cursor: undefined })}`}>{t('findings.firstPage')}</Link>
          )}
          {next && (
            <Button url={`/app/findings${queryOf({ ...asked, cursor: next })}`}>{t('findings.nextPage')}</Button>
          )}
          {rows.length > 0 && (
            <DownloadButton url={`/app/findings-csv${queryOf({ ...asked, cursor: undefined })}`} name="findings.csv">
              {t('findings.download')}
            </DownloadButton>
          )}
        </BetweenCards>
      </BlockStack>
    </Page>
  );
}
