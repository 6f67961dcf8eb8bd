import { useTranslation } from 'react-i18next';
import type { latestSave } from '../../../src/catalog/save/save-job.ts';
import { useFormat } from '../../i18n/format.ts';
import { Banner, BlockStack, Card, Link, Text } from '../../ui/kit/components.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

/** Maximum number of failed variants to list. */
const MAX_LISTED = 20;

const numberOf = (variantId: string) => variantId.slice(variantId.lastIndexOf('/') + 1);

/** Shows the progress and the result of the job that saves codes to Shopify. */
export function SaveProgress({ saving }: { readonly saving: NonNullable<Awaited<ReturnType<typeof latestSave>>> }) {
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
