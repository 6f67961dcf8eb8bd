import { useTranslation } from 'react-i18next';
import type { FileFault, ImportPreview, ImportRow, RowOutcome } from '../../../src/catalog/csv/read.ts';
import type { latestSave } from '../../../src/catalog/save/save-job.ts';
import { CsvDropZone } from '../../ui/csv-drop-zone.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Badge } from '../../ui/kit/badge.tsx';
import { Banner, BlockStack, Box, Button, Card, InlineStack, Page, Text } from '../../ui/kit/components.ts';
import { SaveProgress } from './save-progress.tsx';

const TONES = {
  change: 'info',
  same: undefined,
  unknown: 'critical',
  ambiguous: 'critical',
  duplicate: 'warning',
  bad_code: 'critical',
  bad_origin: 'critical',
} as const satisfies Record<RowOutcome, string | undefined>;

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

/** Imports codes from a file. Previews the changes row by row, and saves them after the merchant confirms. */
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
              <CsvDropZone
                label={t('catalog.import.file')}
                action={t('app.chooseFile')}
                hint={t('app.dropFile')}
                onFile={onFile}
              />
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
                {saving && <SaveProgress saving={saving} />}
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
