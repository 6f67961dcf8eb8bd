import { useTranslation } from 'react-i18next';
import type { FileFault, ImportPreview, ImportRow, RowOutcome } from '../../../src/catalog/csv/read.ts';
import type { latestSave } from '../../../src/catalog/save/save-job.ts';
import { useFormat } from '../../i18n/format.ts';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Badge } from '../../ui/kit/badge.tsx';
import { Banner, BlockStack, Box, Button, Card, InlineStack, Link, Page, Text } from '../../ui/kit/components.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

const TONES = {
  change: 'info',
  same: undefined,
  unknown: 'critical',
  ambiguous: 'critical',
  duplicate: 'warning',
  bad_code: 'critical',
  bad_origin: 'critical',
} as const satisfies Record<RowOutcome, string | undefined>;

/** Maximum number of failed variants to list. */
const MAX_LISTED = 20;

/** Preview, save state, and callbacks for the import page. */
export interface ImportProps {
  readonly preview: ImportPreview | { readonly fault: FileFault } | null;
  readonly saving: Awaited<ReturnType<typeof latestSave>>;
  readonly declined: boolean;
  readonly busy: boolean;
  /** Whether the merchant submitted the changes in this preview. */
  readonly sent: boolean;
  readonly onFile: (file: File) => void;
  readonly onSave: (changes: ImportPreview['changes']) => void;
}

/** Imports codes from a file. Previews the changes row by row, and saves the changes after the merchant confirms. */
export function Import({ preview, saving, declined, busy, sent, onFile, onSave }: ImportProps) {
  const { t } = useTranslation();
  const read = preview && 'rows' in preview ? preview : null;
  const hasMessage = busy || declined || saving !== null || (preview !== null && read === null);
  const isFinished = sent && saving !== null && saving.state !== 'queued' && saving.state !== 'running';
  return (
    <Page
      title={t('catalog.import.title')}
      backAction={{ content: t('app.nav.catalog'), url: '/app/catalog' }}
      narrowWidth
    >
      <BlockStack gap="400">
        <div>
          <Card>
            <BlockStack gap="200">
              <Text as="p">{t('catalog.import.how')}</Text>
              <Text as="p" tone="subdued">
                {t('catalog.import.columns')}
              </Text>
              <label>
                <Text as="span" fontWeight="medium">
                  {t('catalog.import.file')}
                </Text>
                <br />
                <input
                  type="file"
                  accept=".csv,.tsv,.txt,text/csv"
                  style={{ maxWidth: '100%', marginBlockStart: 'var(--p-space-200)' }}
                  onClick={event => {
                    // Lets the merchant choose the same file again, for example after an edit or a partial save.
                    event.currentTarget.value = '';
                  }}
                  onChange={event => {
                    const [file] = event.target.files ?? [];
                    if (file) onFile(file);
                  }}
                />
              </label>
            </BlockStack>
          </Card>
          {/* The live region is always present so that screen readers announce changes to its content. */}
          <div aria-live="polite">
            {hasMessage && (
              <Box paddingBlockStart="400">
                {preview && 'fault' in preview && (
                  <Banner tone="critical" title={t(`catalog.import.faults.${preview.fault}`)} />
                )}
                {declined && <Banner tone="warning" title={t('catalog.edit.declined')} />}
                {busy && !sent && (
                  <InlineRow>
                    <Text as="p">{t('catalog.import.reading')}</Text>
                  </InlineRow>
                )}
                {saving && <Saving saving={saving} />}
              </Box>
            )}
          </div>
        </div>
        {read && !isFinished && (
          <Card padding="0">
            <div style={{ padding: 'var(--p-space-400)' }}>
              <BlockStack gap="300">
                <Text as="h2" variant="headingMd">
                  {t('catalog.import.wouldChange', { count: read.changes.length })}
                </Text>
                {read.counts.same !== undefined && (
                  <Text as="p">{t('catalog.import.same', { count: read.counts.same })}</Text>
                )}
                {read.changes.length > 0 && (
                  <InlineStack>
                    <Button variant="primary" disabled={sent} loading={busy} onClick={() => onSave(read.changes)}>
                      {t('catalog.import.save')}
                    </Button>
                  </InlineStack>
                )}
              </BlockStack>
            </div>
            <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {read.rows.map(row => row.outcome !== 'same' && <Row key={row.line} row={row} />)}
            </ul>
          </Card>
        )}
      </BlockStack>
    </Page>
  );
}

function Row({ row: { line, outcome, name, from, to } }: { readonly row: ImportRow }) {
  const { t } = useTranslation();
  const isFound = outcome !== 'unknown' && outcome !== 'ambiguous';
  const shown = (value: string | null) => value ?? t('catalog.change.none');
  return (
    <li
      style={{
        padding: 'var(--p-space-300) var(--p-space-400)',
        borderBlockStart: '1px solid var(--p-color-border-secondary)',
      }}
    >
      <BlockStack gap="100">
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" tone="subdued">
            {t('catalog.import.line', { line })}
          </Text>
          <bdi style={{ overflowWrap: 'anywhere' }}>{name}</bdi>
          <Badge tone={TONES[outcome]}>{t(`catalog.import.outcome.${outcome}`)}</Badge>
        </InlineStack>
        {isFound && from.htsCode !== to.htsCode && to.htsCode !== null && (
          <Text as="p" breakWord>
            {t('catalog.change.htsCode', { from: shown(from.htsCode), to: to.htsCode })}
          </Text>
        )}
        {isFound && from.origin !== to.origin && to.origin !== null && (
          <Text as="p" breakWord>
            {t('catalog.change.origin', { from: shown(from.origin), to: to.origin })}
          </Text>
        )}
      </BlockStack>
    </li>
  );
}

const numberOf = (variantId: string) => variantId.slice(variantId.lastIndexOf('/') + 1);

function Saving({ saving }: { readonly saving: NonNullable<ImportProps['saving']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, error, progress, result } = saving;
  if (state === 'done' && result) {
    const { saved, failed } = result;
    return (
      <Banner tone={failed.length === 0 ? 'success' : 'warning'} title={t('catalog.import.saved', { count: saved })}>
        {failed.slice(0, MAX_LISTED).map(({ variantId, code, message }) => (
          <p key={variantId} style={{ overflowWrap: 'anywhere' }}>
            <Link url={`/app/catalog/${numberOf(variantId)}`}>{numberOf(variantId)}</Link>{' '}
            {t([`catalog.import.notSaved.${code}`, `catalog.edit.faults.${code}`])} {message}
          </p>
        ))}
        {failed.length > MAX_LISTED && <p>{t('catalog.import.moreFailed', { count: failed.length - MAX_LISTED })}</p>}
      </Banner>
    );
  }
  if (state === 'failed' || state === 'cancelled')
    return <Banner tone="critical" title={t([`catalog.import.stopped.${error}`, 'catalog.import.stopped.other'])} />;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd" id="catalog-saving">
          {t('catalog.import.saving')}
        </Text>
        <ProgressBar
          percent={progress ? Math.round((progress.done / progress.total) * 100) : 2}
          labelledBy="catalog-saving"
        />
        {error === 'throttled' && <Text as="p">{t('catalog.import.waits')}</Text>}
        {progress && (
          <Text as="p" tone="subdued">
            {t('catalog.progress.of', { done: format.number(progress.done), total: format.number(progress.total) })}
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}
