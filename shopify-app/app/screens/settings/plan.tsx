import { useTranslation } from 'react-i18next';
import type { Plan } from '../../../src/billing/plan.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Card, InlineStack, Link, Text } from '../../ui/kit/components.ts';

const TONES = { founding: 'success', active: 'success', none: 'warning', unknown: undefined } as const;

/** Shows the shop's plan, with a link to Shopify's page for choosing a plan. */
export function PlanCard({ status, name, test, pricingUrl }: Plan) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('settings.plan.title')}
        </Text>
        <InlineStack gap="200" blockAlign="center">
          {name !== null && (
            <Text as="span" breakWord>
              {name}
            </Text>
          )}
          <Badge tone={TONES[status]}>{t(`settings.plan.status.${status}`)}</Badge>
          {test && <Badge>{t('settings.plan.test')}</Badge>}
        </InlineStack>
        <Text as="p">{t(`settings.plan.text.${status}`)}</Text>
        {status !== 'founding' && (
          <Link url={pricingUrl} target="_top">
            {t(status === 'active' ? 'settings.plan.change' : 'settings.plan.choose')}
          </Link>
        )}
      </BlockStack>
    </Card>
  );
}
