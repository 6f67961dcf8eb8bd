import { Card, Page, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';

export function Home({ shop }: { readonly shop: string }) {
  const { t } = useTranslation();
  return (
    <Page title={t('app.name')}>
      <Card>
        <Text as="p">{shop}</Text>
      </Card>
    </Page>
  );
}
