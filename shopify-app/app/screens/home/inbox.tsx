import { useTranslation } from 'react-i18next';
import type { HomeView } from '../../../src/home/home.ts';
import type { InboxItem, Task } from '../../../src/home/inbox.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Card, InlineStack, Link, Text } from '../../ui/kit/components.ts';
import { SeverityBadge } from '../../ui/severity-badge.tsx';

/** URL of the page where merchants complete each task. */
const URLS: Readonly<Record<Task, string>> = {
  traffic: '/app/browser-check',
  changed: '/app/catalog?changed=yes',
  invalid: '/app/catalog?status=invalid',
  missing: '/app/catalog?status=missing',
  needs_digits: '/app/catalog?status=needs_digits',
  incomplete: '/app/certificates?state=issued',
  retest: '/app/certificates?state=issued',
  superseded: '/app/certificates?state=issued',
  voided: '/app/certificates?state=voided',
  hit: '/app/catalog?status=hit',
  in_scope: '/app/catalog?status=in_scope',
  draft: '/app/certificates?state=draft',
};

/** Lists the items that need attention, each with its next step, or shows the scan coverage if there aren't any. */
export function Inbox({
  inbox,
  moreFindings,
  verdict,
  checked,
  refuted,
}: Pick<HomeView, 'inbox' | 'moreFindings' | 'verdict' | 'checked' | 'refuted'>) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('home.inbox.title')}
        </Text>
        {inbox.length === 0 && (
          <Text as="p">
            {verdict.kind === 'clear' && checked
              ? t('home.inbox.nothing', { pages: checked.pages, files: checked.files })
              : t('home.inbox.empty')}
          </Text>
        )}
        {inbox.map(item => (
          <Item key={item.kind === 'task' ? item.task : item.fingerprint} item={item} />
        ))}
        {refuted > 0 && (
          <Text as="p" tone="subdued">
            {t('home.inbox.refuted', { count: refuted })}{' '}
            <Link url="/app/findings?status=refuted">{t('findings.viewRefuted')}</Link>
          </Text>
        )}
        {moreFindings > 0 && <Link url="/app/findings">{t('home.inbox.more', { count: moreFindings })}</Link>}
      </BlockStack>
    </Card>
  );
}

function Item({ item }: { readonly item: InboxItem }) {
  const { t } = useTranslation();
  const format = useFormat();
  const badge =
    item.urgency === 'review' ? (
      <Badge tone="info">{t('home.inbox.review')}</Badge>
    ) : (
      <SeverityBadge severity={item.urgency} />
    );
  if (item.kind === 'task') {
    const { task, count, duty } = item;
    return (
      <BlockStack gap="100">
        <InlineStack gap="200" blockAlign="center">
          {badge}
          <Text as="p">{t(`home.inbox.tasks.${task}`, { count: count ?? 0 })}</Text>
        </InlineStack>
        {duty && (duty.max > 0 || duty.unknown > 0) && (
          <Text as="p" tone="subdued">
            {duty.max > 0 && t('home.inbox.duty', { min: format.amount(duty.min), max: format.amount(duty.max) })}{' '}
            {duty.unknown > 0 && t('home.inbox.dutyUnknown', { count: duty.unknown })}
          </Text>
        )}
        <Link url={URLS[task]}>{t(`home.inbox.next.${task}`)}</Link>
      </BlockStack>
    );
  }
  const { fingerprint, title, place, regressed } = item;
  return (
    <BlockStack gap="100">
      <InlineStack gap="200" blockAlign="center">
        {badge}
        <Link url={`/app/findings/${fingerprint}`}>{title}</Link>
      </InlineStack>
      <Text as="p" tone="subdued" breakWord>
        {[place, regressed && t('home.inbox.regressed')].filter(Boolean).join(' · ')}
      </Text>
    </BlockStack>
  );
}
