import { useTranslation } from 'react-i18next';
import type { ScanFinding, ScanView } from '../../../src/history/history.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Card, InlineStack, Link, List, Page, Select, Text } from '../../ui/kit/components.ts';
import { RuleText } from '../../ui/rule-text.tsx';
import { SeverityBadge } from '../../ui/severity-badge.tsx';
import { useAppNavigate } from '../../ui/use-app-navigate.ts';
import { ScanCoverageSection } from './coverage.tsx';
import { STATE_TONES } from './history.tsx';

/** Shows a scan's score, coverage, and differences from another scan. */
export function ScanScreen({
  scan,
  coverage,
  lines,
  against,
  appeared,
  missing,
  same,
  more,
  others,
  browser,
  timeZone,
}: ScanView) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const navigate = useAppNavigate();
  const changes = against
    ? [
        { title: t('history.appeared'), findings: appeared, more: more.appeared },
        { title: t('history.missing'), findings: missing, more: more.missing },
        { title: t('history.same'), findings: same, more: more.same },
      ]
    : [{ title: t('history.found'), findings: same, more: more.same }];
  return (
    <Page
      title={format.dateTime(scan.finishedAt)}
      subtitle={[
        t(`history.trigger.${scan.trigger}`),
        scan.reason && t(`history.reason.${scan.reason}`, { defaultValue: scan.reason }),
      ]
        .filter(Boolean)
        .join(' · ')}
      titleMetadata={<Badge tone={STATE_TONES[scan.state]}>{t(`history.state.${scan.state}`)}</Badge>}
      backAction={{ content: t('app.nav.history'), url: '/app/history' }}
    >
      <BlockStack gap="400">
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              {scan.score === null ? t('history.noScore') : t('home.score.of', { score: scan.score })}
            </Text>
            {lines.map(({ title, count, points, kind }) => (
              <InlineStack key={`${kind} ${title}`} align="space-between" gap="200" wrap={false}>
                <Text as="span">
                  {kind === 'rule'
                    ? [title, count !== null && count > 1 && `× ${count}`].filter(Boolean).join(' ')
                    : t(`history.line.${title ?? 'floor'}`)}
                </Text>
                <Text as="span" numeric>
                  {format.signed(-points)}
                </Text>
              </InlineStack>
            ))}
          </BlockStack>
        </Card>
        <Card>
          <BlockStack gap="300">
            <Text as="h2" variant="headingMd">
              {t('history.compared')}
            </Text>
            {!against && <Text as="p">{t('history.alone')}</Text>}
            {others.length > 0 && (
              <Select
                label={t('history.comparedWith')}
                placeholder={against ? undefined : t('history.chooseScan')}
                value={against?.id ?? ''}
                options={[...(against && !others.some(({ id }) => id === against.id) ? [against] : []), ...others].map(
                  ({ id, finishedAt }) => ({ value: id, label: format.dateTime(finishedAt) }),
                )}
                onChange={id => navigate(`/app/history/${scan.id}?against=${id}`)}
              />
            )}
            {changes.map(change => (
              <Findings key={change.title} {...change} />
            ))}
          </BlockStack>
        </Card>
        {browser && <BrowserSummary {...browser} date={format.dateTime(browser.at)} />}
        <ScanCoverageSection {...coverage} />
      </BlockStack>
    </Page>
  );
}

function BrowserSummary({
  date,
  isPartial,
  score,
  refuted,
  traffic,
}: NonNullable<ScanView['browser']> & { readonly date: string }) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t('browser.title')}
        </Text>
        <Text as="p">
          {t('browser.at', { date })}{' '}
          <Badge tone={isPartial ? 'attention' : 'success'}>
            {t(isPartial ? 'browser.partial' : 'browser.complete')}
          </Badge>
        </Text>
        <List>
          {score !== null && <List.Item>{t('browser.score', { score })}</List.Item>}
          <List.Item>{t('browser.verdicts.refuted', { count: refuted })}</List.Item>
          <List.Item>{t('findings.traffic', { count: traffic })}</List.Item>
        </List>
        <Link url="/app/browser-check">{t('findings.browser.link')}</Link>
      </BlockStack>
    </Card>
  );
}

function Findings({
  title,
  findings,
  more,
}: {
  readonly title: string;
  readonly findings: readonly ScanFinding[];
  /** Number of findings omitted from the list. */
  readonly more: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        {title} ({format.number(findings.length + more)})
      </Text>
      {findings.length === 0 ? (
        <Text as="p" tone="subdued">
          {t('history.none')}
        </Text>
      ) : (
        <List>
          {findings.map(({ fingerprint, severity, title, message, messageLanguage }) => (
            <List.Item key={fingerprint}>
              <SeverityBadge severity={severity} /> <Link url={`/app/findings/${fingerprint}`}>{title}</Link>
              <Text as="p" tone="subdued" breakWord>
                <RuleText lang={messageLanguage}>{message}</RuleText>
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      {more > 0 && <Link url="/app/findings">{t('history.more', { count: more })}</Link>}
    </BlockStack>
  );
}
