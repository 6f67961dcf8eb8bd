import { useTranslation } from 'react-i18next';
import { BlockStack, Button, Card, InlineStack, Page, Text } from '../../ui/kit/components.ts';

/** Shows an error page for app URLs that don't exist. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('app.notFound.title')}>
      <Card>
        <BlockStack gap="400">
          <Text as="p">{t('app.notFound.text')}</Text>
          <InlineStack>
            <Button url="/app">{t('app.notFound.back')}</Button>
          </InlineStack>
        </BlockStack>
      </Card>
    </Page>
  );
}
