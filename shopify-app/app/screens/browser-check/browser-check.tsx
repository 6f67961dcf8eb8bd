import { useTranslation } from 'react-i18next';
import type { BrowserCheckView, SeenCheck } from '../../../src/browser-check/browser-check.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { Banner, BlockStack, Card, Link, List, Page, Text } from '../../ui/kit/components.ts';
import { SeverityBadge } from '../../ui/severity-badge.tsx';
import { StepTimeline } from './step-timeline.tsx';
import { UnseenSteps } from './unseen-steps.tsx';

/** Shows the results of a browser check: the score, verdicts on findings, traffic problems, and a timeline of steps. */
export function BrowserCheck({ timeZone, on, availability, checking, unseen, seen }: BrowserCheckView) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  return (
    <Page title={t('browser.title')} backAction={{ content: t('app.nav.findings'), url: '/app/findings' }}>
      <BlockStack gap="400">
        {!on && (
          <Banner title={t('browser.off.title')} action={{ content: t('browser.off.action'), url: '/app/settings' }}>
            <p>{t('browser.off.text')}</p>
          </Banner>
        )}
        {on && availability !== 'available' && (
          <Banner tone="warning" title={t(`settings.browser.unavailable.${availability}`)} />
        )}
        <div role="status">{checking && <Banner title={t('browser.checking')} />}</div>
        {unseen && (
          <Banner tone="warning" title={t('browser.unseen.title', { date: format.dateTime(unseen.at) })}>
            <p>
              {unseen.reason === 'password'
                ? t('browser.unseen.password')
                : t('browser.unseen.text', {
                    reason: t(`history.reason.${unseen.reason}`, { defaultValue: unseen.reason ?? '' }),
                  })}
            </p>
          </Banner>
        )}
        {seen ? (
          <>
            <Summary seen={seen} date={format.dateTime(seen.at)} />
            <Traffic {...seen} />
            <StepTimeline {...seen} />
            <UnseenSteps {...seen} />
          </>
        ) : (
          <Card>
            <Text as="p">{t('browser.none')}</Text>
          </Card>
        )}
      </BlockStack>
    </Page>
  );
}

function Summary({ seen, date }: { readonly seen: SeenCheck; readonly date: string }) {
  const { t } = useTranslation();
  const { score, staticScore, isPartial, verdicts } = seen;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {score === null ? t('browser.noScore') : t('browser.score', { score })}
        </Text>
        <Text as="p" tone="subdued">
          {t('browser.at', { date })}{' '}
          <Badge tone={isPartial ? 'attention' : 'success'}>
            {t(isPartial ? 'browser.partial' : 'browser.complete')}
          </Badge>
        </Text>
        {staticScore !== null && <Text as="p">{t('browser.staticScore', { score: staticScore })}</Text>}
        <List>
          <List.Item>{t('browser.verdicts.confirmed', { count: verdicts.confirmed })}</List.Item>
          <List.Item>
            {t('browser.verdicts.refuted', { count: verdicts.refuted })}{' '}
            {verdicts.refuted > 0 && <Link url="/app/findings?status=refuted">{t('browser.viewRefuted')}</Link>}
          </List.Item>
          <List.Item>{t('browser.verdicts.unseen', { count: verdicts.unseen })}</List.Item>
        </List>
      </BlockStack>
    </Card>
  );
}

function Traffic({ traffic, isPartial }: SeenCheck) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('browser.traffic.title')}
        </Text>
        {traffic.length === 0 && (
          <Text as="p">{t(isPartial ? 'browser.traffic.noneInPart' : 'browser.traffic.none')}</Text>
        )}
        {traffic.length > 0 && (
          <List>
            {traffic.map(({ code, severity, vendor, id }) => (
              <List.Item key={`${code} ${vendor} ${id}`}>
                <SeverityBadge severity={severity} />{' '}
                <span style={{ overflowWrap: 'anywhere' }}>
                  {[vendor, id].filter(Boolean).join(' ')}: {t(`browser.traffic.${code}`)}
                </span>
              </List.Item>
            ))}
          </List>
        )}
      </BlockStack>
    </Card>
  );
}
