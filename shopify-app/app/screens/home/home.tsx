import { Banner, BlockStack, InlineGrid, Layout, Link, Page, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { FirstThings } from './first-things.tsx';
import { Metrics } from './metrics.tsx';
import { Progress } from './progress.tsx';
import { Score } from './score.tsx';
import { Setup } from './setup.tsx';
import { Verdict } from './verdict.tsx';

/** What Home needs besides what it shows. */
export interface HomeProps extends HomeView {
  readonly onScan: () => void;
  readonly onDismissGuide: () => void;
  readonly starting: boolean;
}

/** The first screen: how the store stands, and what to do first. */
export function Home({ onScan, onDismissGuide, starting, ...view }: HomeProps) {
  const { t } = useTranslation();
  const busy = starting || view.live !== null;
  return (
    <Page
      title={t('app.name')}
      primaryAction={{ content: t('home.scanNow'), onAction: onScan, loading: starting, disabled: busy }}
    >
      <BlockStack gap="400">
        {view.notices.map(notice => (
          <Banner
            key={notice}
            tone={notice === 'stale' || notice === 'partial' || notice === 'no_scope' ? 'warning' : 'critical'}
            title={t(`home.notices.${notice}.title`)}
          >
            <p>{t(`home.notices.${notice}.text`)}</p>
          </Banner>
        ))}
        <div>
          <Verdict {...view} />
          <Progress live={view.live} />
        </div>
        <Layout>
          <Layout.Section>
            <BlockStack gap="400">
              <FirstThings {...view} />
              <Setup steps={view.setup} onDismiss={onDismissGuide} />
            </BlockStack>
          </Layout.Section>
          <Layout.Section variant="oneThird">
            <Score {...view.score} />
          </Layout.Section>
        </Layout>
        <InlineGrid columns={{ xs: 1, md: 3 }} gap="400">
          <Metrics {...view} />
        </InlineGrid>
        <Text as="p" tone="subdued">
          {t('home.noAdvice')} <Link url="/app/settings">{t('home.aboutData')}</Link>
        </Text>
      </BlockStack>
    </Page>
  );
}
