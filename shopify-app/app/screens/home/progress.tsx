import { BlockStack, Box, Card, ProgressBar, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { LiveScan } from '../../../src/home/home.ts';

const STEPS = ['shop', 'storefront', 'theme', 'settling'] as const;

/** How far a scan is. It goes on when the merchant leaves the page. The region stays, so that it is heard when it fills. */
export function Progress({ live }: { readonly live: LiveScan | null }) {
  const { t } = useTranslation();
  return (
    <div aria-live="polite">
      {live && (
        <Box paddingBlockStart="400">
          <Card>
            <BlockStack gap="200">
              <Text as="h2" variant="headingMd">
                {t(live.queued || !live.progress ? 'home.progress.queued' : `home.progress.${live.progress.step}`)}
              </Text>
              <ProgressBar size="small" progress={percentOf(live)} ariaLabelledBy="scan-progress" />
              <Text as="p" tone="subdued" id="scan-progress">
                {t('home.progress.leave')}
              </Text>
            </BlockStack>
          </Card>
        </Box>
      )}
    </div>
  );
}

function percentOf({ progress }: LiveScan): number {
  if (!progress) return 2;
  const within = progress.total > 0 ? progress.done / progress.total : 0;
  return Math.round(((STEPS.indexOf(progress.step) + within) / STEPS.length) * 100);
}
