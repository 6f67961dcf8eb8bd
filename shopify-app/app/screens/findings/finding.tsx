import { useTranslation } from 'react-i18next';
import type { FindingView } from '../../../src/findings/findings.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { Banner, BlockStack, Card, InlineStack, Layout, Link, Page, Text } from '../../ui/kit/components.ts';
import { RuleText } from '../../ui/rule-text.tsx';
import { SeverityBadge } from '../../ui/severity-badge.tsx';
import { useFocusFallback } from '../../ui/use-focus-fallback.ts';
import { AcceptForm, type AcceptFormProps } from './accept-form.tsx';
import { Evidence } from './evidence.tsx';
import { FixInstructions } from './fix-instructions.tsx';

/** Data and callbacks for the finding screen. */
export interface FindingProps extends FindingView, Pick<AcceptFormProps, 'faults' | 'busy'> {
  readonly onAccept: AcceptFormProps['onSubmit'];
  readonly onUnaccept: () => void;
  readonly onRecheck: () => void;
  /** Called when the merchant starts to edit the theme. */
  readonly onEdit: () => void;
}

/** Shows a finding's evidence, explanation, fix, and acceptance. */
export function FindingScreen({ onAccept, onUnaccept, onRecheck, onEdit, faults, busy, ...finding }: FindingProps) {
  const { t } = useTranslation();
  const format = useFormat(finding.timeZone);
  const { title, severity, status, accepted, acceptance, rechecking, checked } = finding;
  const focus = useFocusFallback(accepted);
  return (
    <Page
      title={title}
      titleMetadata={
        <InlineStack gap="200">
          <SeverityBadge severity={severity} />
          {finding.regressed && <Badge tone="attention">{t('findings.regressed')}</Badge>}
        </InlineStack>
      }
      backAction={{ content: t('app.nav.findings'), url: '/app/findings' }}
      secondaryActions={[
        { content: t('findings.recheck'), onAction: onRecheck, loading: rechecking, disabled: rechecking },
      ]}
    >
      <Layout>
        <Layout.Section>
          <div ref={focus} tabIndex={-1} style={{ outline: 'none' }}>
            <div role="status">
              {!rechecking && checked?.is === 'fixed' && (
                <div style={{ paddingBlockEnd: 'var(--p-space-400)' }}>
                  <Banner tone="success" title={t('findings.check.fixed', { date: format.date(checked.at) })} />
                </div>
              )}
            </div>
            <BlockStack gap="400">
              {accepted && acceptance && (
                <Banner
                  title={
                    acceptance.until === null
                      ? t('findings.accepted')
                      : t('findings.acceptedUntil', { date: format.date(acceptance.until) })
                  }
                  action={{ content: t('findings.unaccept'), onAction: onUnaccept }}
                >
                  <Text as="p" breakWord>
                    {acceptance.reason}
                  </Text>
                </Banner>
              )}
              {finding.browser && (
                <Banner
                  tone={
                    finding.browser.is === 'confirmed'
                      ? 'warning'
                      : finding.browser.is === 'refuted'
                        ? 'success'
                        : 'info'
                  }
                  title={t(`findings.browser.${finding.browser.is}`, { date: format.date(finding.browser.at) })}
                  action={{ content: t('findings.browser.link'), url: '/app/browser-check' }}
                />
              )}
              <Evidence {...finding} />
              <Card>
                <BlockStack gap="300">
                  <Text as="h2" variant="headingMd">
                    {t('findings.why')}
                  </Text>
                  {finding.what && (
                    <Text as="p">
                      <RuleText lang={finding.language}>{finding.what}</RuleText>
                    </Text>
                  )}
                  {finding.why && (
                    <Text as="p">
                      <RuleText lang={finding.language}>{finding.why}</RuleText>
                    </Text>
                  )}
                  {finding.context && (
                    <Text as="p">
                      <RuleText lang={finding.language}>{finding.context}</RuleText>
                    </Text>
                  )}
                  {finding.escalatesOn && (
                    <Text as="p">{t('findings.escalates', { date: format.day(finding.escalatesOn) })}</Text>
                  )}
                </BlockStack>
              </Card>
              <FixInstructions {...finding} onEdit={onEdit} />
              {status === 'open' && !accepted && (
                <Card>
                  <BlockStack gap="300">
                    <Text as="h2" variant="headingMd">
                      {t('findings.accept.title')}
                    </Text>
                    <AcceptForm faults={faults} busy={busy} onSubmit={onAccept} />
                  </BlockStack>
                </Card>
              )}
            </BlockStack>
          </div>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <Card>
            <BlockStack gap="200">
              <Text as="p">{t('findings.firstSeen', { date: format.dateTime(finding.firstSeen) })}</Text>
              <Text as="p">{t('findings.lastSeen', { date: format.dateTime(finding.lastSeen) })}</Text>
              {finding.regressedAt !== null && (
                <Text as="p">{t('findings.regressedOn', { date: format.dateTime(finding.regressedAt) })}</Text>
              )}
              {finding.sources.length > 0 && (
                <Text as="h2" variant="headingSm">
                  {t('findings.sources')}
                </Text>
              )}
              {finding.sources.map(source => (
                <Link key={source} url={source} external>
                  <span style={{ overflowWrap: 'anywhere' }}>{source.replace(/^https:\/\//, '')}</span>
                </Link>
              ))}
            </BlockStack>
          </Card>
        </Layout.Section>
      </Layout>
    </Page>
  );
}
