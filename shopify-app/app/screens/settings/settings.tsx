import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../src/settings/settings.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Badge } from '../../ui/kit/badge.tsx';
import {
  Banner,
  BlockStack,
  Button,
  Card,
  Checkbox,
  FormLayout,
  InlineStack,
  Link,
  List,
  Page,
  Select,
  Text,
} from '../../ui/kit/components.ts';
import { Alerts, type AlertsProps } from './alerts.tsx';
import { Erase, type EraseProps } from './erase.tsx';
import { PlanCard } from './plan.tsx';

/** Categories of data that the app reads and stores, in display order. */
const KEPT = [
  'catalog',
  'theme',
  'pages',
  'findings',
  'browser',
  'certificates',
  'staff',
  'alerts',
  'flow',
  'plan',
  'tokens',
  'customers',
  'log',
] as const;

/** Data and callbacks for the settings page. */
export interface SettingsProps extends SettingsView, AlertsProps, Pick<EraseProps, 'erasing' | 'onErase'> {
  /** Fields being saved, or null. The page already shows their new values. */
  readonly saving: Readonly<Record<string, string>> | null;
  readonly saved: boolean | null;
  readonly onChange: (fields: Record<string, string>) => void;
}

/** Shows the merchant's settings, the stored data, and the app permissions. */
export function Settings({ saving, saved, erasing, onChange, onErase, ...view }: SettingsProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat(view.timeZone);
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const { schedule, nextScanAt, retentionDays, retentionChoices, locale, languages, accepted, moreAccepted } = view;
  return (
    <Page title={t('app.nav.settings')}>
      <BlockStack gap="400">
        {view.plan && <PlanCard {...view.plan} />}
        <Section title={t('settings.work')}>
          <FormLayout>
            <Select
              label={t('settings.schedule.label')}
              helpText={
                nextScanAt === null
                  ? t('settings.schedule.never')
                  : t('settings.schedule.next', { date: format.dateTime(nextScanAt) })
              }
              value={saving?.schedule ?? schedule}
              options={(['off', 'daily', 'weekly'] as const).map(value => ({
                value,
                label: t(`settings.schedule.${value}`),
              }))}
              onChange={value => onChange({ schedule: value })}
            />
            <Select
              label={t('settings.retention.label')}
              helpText={t('settings.retention.help')}
              value={saving?.retentionDays ?? String(retentionDays)}
              options={retentionChoices.map(days => ({
                value: String(days),
                label: t('settings.retention.days', { count: days }),
              }))}
              onChange={value => onChange({ retentionDays: value })}
            />
            <Select
              label={t('settings.language.label')}
              helpText={t('settings.language.help')}
              value={saving?.locale ?? locale ?? ''}
              options={[
                { value: '', label: t('settings.language.admin') },
                ...languages.map(value => ({ value, label: names.of(value) ?? value })),
              ]}
              onChange={value => onChange({ locale: value })}
            />
          </FormLayout>
          <div role="status">
            <Text as="p" tone="subdued">
              {saving ? t('settings.saving') : saved === null ? '' : t(saved ? 'settings.saved' : 'settings.notSaved')}
            </Text>
          </div>
        </Section>
        <Section title={t('settings.browser.title')}>
          {view.rendering.availability !== 'available' && (
            <Banner title={t(`settings.browser.unavailable.${view.rendering.availability}`)} />
          )}
          <Checkbox
            label={t('settings.browser.label')}
            ariaDescribedBy="browser-check-help"
            checked={saving?.rendering ? saving.rendering === 'on' : view.rendering.on}
            // Merchants can still turn off checks that are no longer available.
            disabled={saving !== null || (view.rendering.availability !== 'available' && !view.rendering.on)}
            onChange={on => onChange({ rendering: on ? 'on' : 'off' })}
          />
          {/* The checkbox's own help text would have too little contrast while the checkbox is disabled. */}
          <Text as="p" tone="subdued" id="browser-check-help">
            {t('settings.browser.help')}
          </Text>
          {view.rendering.on && <Link url="/app/browser-check">{t('settings.browser.view')}</Link>}
        </Section>
        <Alerts {...view} />
        <Section title={t('settings.accepted.title')}>
          {accepted.length === 0 && <Text as="p">{t('settings.accepted.none')}</Text>}
          {accepted.length > 0 && (
            <List>
              {accepted.map(({ fingerprint, title, place, reason, until }) => (
                <List.Item key={fingerprint}>
                  <BlockStack gap="100">
                    <Link url={`/app/findings/${fingerprint}`}>{title}</Link>
                    <Text as="p" breakWord>
                      {[place, reason, until !== null && t('settings.accepted.until', { date: format.date(until) })]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                    <InlineStack>
                      <Button
                        accessibilityLabel={t('settings.accepted.undoFor', { title })}
                        disabled={saving !== null}
                        onClick={() => onChange({ fingerprint })}
                      >
                        {t('settings.accepted.undo')}
                      </Button>
                    </InlineStack>
                  </BlockStack>
                </List.Item>
              ))}
            </List>
          )}
          {moreAccepted && <Link url="/app/findings?status=accepted">{t('settings.accepted.all')}</Link>}
        </Section>
        <Section title={t('settings.kept.title')}>
          <List>
            {KEPT.map(what => (
              <List.Item key={what}>{t(`settings.kept.${what}`)}</List.Item>
            ))}
          </List>
          <Text as="p">{t('settings.kept.uninstall')}</Text>
          <InlineStack>
            <DownloadButton url="/app/export" name={`${view.domain}.jsonl`}>
              {t('settings.kept.export')}
            </DownloadButton>
          </InlineStack>
        </Section>
        <Section title={t('settings.scopes.title')}>
          <List>
            {view.scopes.map(({ scope, optional, granted }) => (
              <List.Item key={scope}>
                <InlineStack gap="200" blockAlign="center">
                  <Text as="span" breakWord>
                    <code>{scope}</code>: {t(`settings.scopes.${scope}`)}
                  </Text>
                  <Badge tone={granted ? 'success' : optional ? undefined : 'critical'}>
                    {t(
                      granted ? 'settings.scopes.granted' : optional ? 'settings.scopes.asked' : 'settings.scopes.lost',
                    )}
                  </Badge>
                </InlineStack>
              </List.Item>
            ))}
          </List>
        </Section>
        <Section title={t('settings.about.title')}>
          <Text as="p">{t('settings.about.advice')}</Text>
          {view.contact && (
            <Link url={view.contact} external>
              {t('settings.about.contact')}
            </Link>
          )}
        </Section>
        <Erase domain={view.domain} erasing={erasing} onErase={onErase} />
      </BlockStack>
    </Page>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        {children}
      </BlockStack>
    </Card>
  );
}
