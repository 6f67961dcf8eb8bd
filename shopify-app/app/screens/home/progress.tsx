import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveScan } from '../../../src/home/home.ts';
import { BlockStack, Box, Card, Text } from '../../ui/kit/components.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

const STEPS = ['shop', 'storefront', 'theme', 'settling'] as const;

/** A newly requested scan that isn't in the loaded data yet. */
const REQUESTED: LiveScan = { id: '', queued: true, progress: null };

/** Shows scan progress. The scan continues if the merchant leaves the page. */
export function ScanProgressBanner({
  live: known,
  starting,
}: {
  readonly live: LiveScan | null;
  readonly starting: boolean;
}) {
  const { t } = useTranslation();
  // Show a requested scan immediately, because a short scan might finish before the page polls for its progress.
  const live = known ?? (starting ? REQUESTED : null);
  const [wasLive, setWasLive] = useState(false);
  if (live && !wasLive) setWasLive(true);
  const step = live && t(`home.progress.${live.queued || !live.progress ? 'queued' : live.progress.step}`);
  return (
    <>
      {/* Announce only the step. With a percentage, screen readers would announce progress every two seconds. */}
      <div aria-live="polite">
        <Text as="p" visuallyHidden>
          {step ?? (wasLive ? t('home.progress.done') : '')}
        </Text>
      </div>
      {live && (
        <Box paddingBlockStart="400">
          <Card>
            <BlockStack gap="200">
              <Text as="h2" variant="headingMd" id="scan-progress">
                {step}
              </Text>
              <ProgressBar percent={percentOf(live)} labelledBy="scan-progress" />
              <Text as="p" tone="subdued">
                {t('home.progress.leave')}
              </Text>
            </BlockStack>
          </Card>
        </Box>
      )}
    </>
  );
}

function percentOf({ progress }: LiveScan): number {
  if (!progress) return 2;
  const within = progress.total > 0 ? progress.done / progress.total : 0;
  return Math.round(((STEPS.indexOf(progress.step) + within) / STEPS.length) * 100);
}
