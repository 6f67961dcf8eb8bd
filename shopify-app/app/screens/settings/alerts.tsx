import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../src/settings/settings.ts';
import {
  Banner,
  BlockStack,
  Button,
  Card,
  FormLayout,
  InlineStack,
  List,
  Select,
  Text,
  TextField,
} from '../../ui/kit/components.ts';
import { useSaveBar } from '../../ui/save-bar.tsx';

/** Events that the app sends alerts for, in display order. */
const EVENTS = ['error', 'tariff', 'incomplete', 'retest', 'superseded'] as const;

/** State and callback for the alert settings. */
export interface AlertsProps {
  readonly alerts: SettingsView['alerts'];
  readonly savingAlerts: boolean;
  /** Whether the last save succeeded, or null before the first save. */
  readonly alertsSaved: boolean | null;
  readonly onSaveAlerts: (fields: { readonly alertsWhen: string; readonly alertsEmail: string }) => void;
}

/** Lets the merchant choose when and where alert emails are sent. */
export function Alerts({ alerts, savingAlerts, alertsSaved, onSaveAlerts }: AlertsProps) {
  const { t } = useTranslation();
  const [alertsWhen, setWhen] = useState<string>(alerts.when);
  const [alertsEmail, setEmail] = useState(alerts.email ?? '');
  const save = () => onSaveAlerts({ alertsWhen, alertsEmail });
  useSaveBar(alertsWhen !== alerts.when || alertsEmail !== (alerts.email ?? ''), {
    onSave: save,
    onDiscard: () => {
      setWhen(alerts.when);
      setEmail(alerts.email ?? '');
    },
  });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('settings.alerts.title')}
        </Text>
        {!alerts.available && <Banner title={t('settings.alerts.unavailable')} />}
        {alerts.failed && <Banner tone="warning" title={t('settings.alerts.failed')} />}
        <Text as="p">{t('settings.alerts.text')}</Text>
        <List>
          {EVENTS.map(event => (
            <List.Item key={event}>{t(`settings.alerts.event.${event}`)}</List.Item>
          ))}
        </List>
        <FormLayout>
          <Select
            label={t('settings.alerts.when')}
            value={alertsWhen}
            disabled={!alerts.available}
            options={(['off', 'at_once', 'daily'] as const).map(value => ({
              value,
              label: t(`settings.alerts.${value}`),
            }))}
            onChange={setWhen}
          />
          <TextField
            label={t('settings.alerts.email')}
            type="email"
            value={alertsEmail}
            onChange={setEmail}
            disabled={!alerts.available}
            error={alertsSaved === false && !savingAlerts ? t('settings.alerts.invalid') : undefined}
            helpText={t('settings.alerts.emailHelp')}
            autoComplete="email"
          />
        </FormLayout>
        <InlineStack gap="300" blockAlign="center">
          <Button variant="primary" disabled={!alerts.available} loading={savingAlerts} onClick={save}>
            {t('settings.alerts.save')}
          </Button>
          <div role="status">
            <Text as="span" tone="subdued">
              {alertsSaved && !savingAlerts ? t('settings.saved') : ''}
            </Text>
          </div>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
