import { useTranslation } from 'react-i18next';
import type { HomeView, Notice } from '../../../src/home/home.ts';
import { Banner, BlockStack, Box, InlineGrid, Layout, Link, Page, Text } from '../../ui/kit/components.ts';
import { useFocusFallback } from '../../ui/use-focus-fallback.ts';
import { Inbox } from './inbox.tsx';
import { HomeMetrics } from './metrics.tsx';
import { ScanProgressBanner } from './progress.tsx';
import { Score } from './score.tsx';
import { Setup } from './setup.tsx';
import { StoreStatus } from './store-status.tsx';

/** Banner tone for each notice. */
const TONES: Readonly<Record<Notice, 'critical' | 'warning' | 'info'>> = {
  needs_reopening: 'critical',
  frozen: 'critical',
  failed: 'critical',
  not_reached: 'critical',
  no_plan: 'warning',
  password: 'warning',
  no_scope: 'warning',
  interrupted: 'warning',
  partial: 'warning',
  stale: 'warning',
  throttled: 'info',
};

/** Data and callbacks for the Home screen. */
export interface HomeProps extends HomeView {
  readonly onScan: () => void;
  readonly onDismissGuide: () => void;
  readonly starting: boolean;
}

/** Shows the store's status and the items that need attention. */
export function Home({ onScan, onDismissGuide, starting, ...view }: HomeProps) {
  const { t } = useTranslation();
  const focus = useFocusFallback(view.setup.length);
  const busy = starting || view.live !== null;
  return (
    <Page
      title={t('app.name')}
      primaryAction={{ content: t('home.scanNow'), onAction: onScan, loading: starting, disabled: busy }}
    >
      <BlockStack gap="400">
        {view.notices.map(notice => (
          <Banner key={notice} tone={TONES[notice]} title={t(`home.notices.${notice}.title`)}>
            <p>{t(`home.notices.${notice}.text`)}</p>
          </Banner>
        ))}
        <div ref={focus} tabIndex={-1} style={{ outline: 'none' }}>
          <StoreStatus {...view} />
          <ScanProgressBanner live={view.live} starting={starting} />
        </div>
        <Layout>
          <Layout.Section>
            <Inbox {...view} />
          </Layout.Section>
          <Layout.Section variant="oneThird">
            <Score {...view.score} timeZone={view.timeZone} />
          </Layout.Section>
        </Layout>
        <InlineGrid columns={{ xs: 1, md: 3 }} gap="400">
          <HomeMetrics {...view} />
        </InlineGrid>
        <Setup steps={view.setup} onDismiss={onDismissGuide} />
        <Box paddingInline={{ xs: '400', sm: '0' }}>
          <Text as="p" tone="subdued">
            {t('home.noAdvice')} <Link url="/app/settings">{t('home.aboutData')}</Link>
          </Text>
        </Box>
      </BlockStack>
    </Page>
  );
}
