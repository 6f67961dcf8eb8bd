import { useTranslation } from 'react-i18next';
import type { CatalogView } from '../../../src/catalog/catalog.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Box, Card, Text } from '../../ui/kit/components.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

/**
 * Shows the progress of a catalog sync. The live region is always present so that screen readers announce changes to
 * its content.
 */
export function CatalogProgressBanner({ live }: Pick<CatalogView, 'live'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { step = 'queued', done = 0, total = 0 } = live?.progress ?? {};
  return (
    <div aria-live="polite">
      {live && (
        <Box paddingBlockEnd="400">
          <Card>
            <BlockStack gap="200">
              <Text as="h2" variant="headingMd" id="catalog-progress">
                {t(`catalog.progress.${live.queued ? 'queued' : step}`)}
              </Text>
              <ProgressBar percent={total === 0 ? 2 : Math.round((done / total) * 100)} labelledBy="catalog-progress" />
              <Text as="p" tone="subdued">
                {total > 0 && t('catalog.progress.of', { done: format.number(done), total: format.number(total) })}{' '}
                {t('catalog.progress.leave')}
              </Text>
            </BlockStack>
          </Card>
        </Box>
      )}
    </div>
  );
}
