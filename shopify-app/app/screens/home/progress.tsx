import { BlockStack, Box, Card, Text } from '@shopify/polaris';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveScan } from '../../../src/home/home.ts';
import { ProgressBar } from '../progress-bar.tsx';

const STEPS = ['shop', 'storefront', 'theme', 'settling'] as const;

/** A scan that was asked for a moment ago, before the page knows of it. */
const ASKED_FOR: LiveScan = { id: '', queued: true, progress: null };

/** How far a scan is. It goes on when the merchant leaves the page. */
export function Progress({ live: known, starting }: { readonly live: LiveScan | null; readonly starting: boolean }) {
  const { t } = useTranslation();
  // A short scan may be over before the page asks how far it is.
  const live = known ?? (starting ? ASKED_FOR : null);
  const [wasLive, setWasLive] = useState(false);
  if (live && !wasLive) setWasLive(true);
  const step = live && t(`home.progress.${live.queued || !live.progress ? 'queued' : live.progress.step}`);
  return (
    <>
      {/* Heard, not seen: the steps alone, for the percent would be read out every other second. */}
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
