import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Button, Card, InlineStack, Link, Text } from '../../ui/kit/components.ts';

const URLS = {
  scan: '/app',
  catalog: '/app/catalog',
  certificate: '/app/certificates',
  schedule: '/app/settings',
} as const;

/** Lists the setup tasks. Renders nothing if all tasks are complete or the merchant dismissed the guide. */
export function Setup({ steps, onDismiss }: { readonly steps: HomeView['setup']; readonly onDismiss: () => void }) {
  const { t } = useTranslation();
  const done = steps.filter(step => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('home.setup.title')}
        </Text>
        <Text as="p" tone="subdued">
          {t('home.setup.done', { done, total: steps.length })}
        </Text>
        {steps.map(({ step, done }) => (
          <InlineStack key={step} gap="200" blockAlign="center">
            <Badge tone={done ? 'success' : 'attention'}>{t(done ? 'home.setup.isDone' : 'home.setup.isOpen')}</Badge>
            {done ? (
              <Text as="span">{t(`home.setup.${step}`)}</Text>
            ) : (
              <Link url={URLS[step]}>{t(`home.setup.${step}`)}</Link>
            )}
          </InlineStack>
        ))}
        <InlineStack>
          <Button variant="plain" onClick={onDismiss}>
            {t('home.setup.dismiss')}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
