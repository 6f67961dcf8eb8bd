import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner, BlockStack, Button, Card, InlineStack, Page, Text, TextField } from '../../ui/kit/components.ts';

/** State and callback for the deletion form. */
export interface EraseProps {
  readonly domain: string;
  readonly erasing: 'no' | 'busy' | 'refused' | 'failed';
  readonly onErase: (typed: string) => void;
}

/** Shows a form that deletes all shop data, except issued certificates, after the merchant types the shop's domain. */
export function Erase({ domain, erasing, onErase }: EraseProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('settings.erase.title')}
        </Text>
        <Text as="p">{t('settings.erase.text')}</Text>
        <Text as="p">{t('settings.erase.certificates')}</Text>
        {erasing === 'failed' && <Banner tone="critical" title={t('settings.erase.failed')} />}
        <TextField
          label={t('settings.erase.type', { domain })}
          value={typed}
          onChange={setTyped}
          error={erasing === 'refused' ? t('settings.erase.refused') : undefined}
          autoComplete="off"
        />
        <InlineStack>
          <Button tone="critical" loading={erasing === 'busy'} onClick={() => onErase(typed)}>
            {t('settings.erase.submit')}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}

/** Tells the merchant that all data has been deleted. */
export function Erased() {
  const { t } = useTranslation();
  return (
    <Page title={t('settings.erased.title')}>
      <Card>
        <div role="status">
          <Text as="p">{t('settings.erased.text')}</Text>
        </div>
      </Card>
    </Page>
  );
}
