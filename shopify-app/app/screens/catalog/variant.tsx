import { useTranslation } from 'react-i18next';
import type { VariantView } from '../../../src/catalog/variant.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { InlineRow } from '../../ui/inline-row.tsx';
import { BlockStack, Card, InlineStack, Layout, Link, List, Page, Text } from '../../ui/kit/components.ts';
import { queryString } from '../../ui/query-string.ts';
import { DutyEstimate } from './duty-estimate.tsx';
import { EditForm, type EditFormProps } from './edit-form.tsx';
import { EfilingCard } from './efiling-card.tsx';
import { HtsDescription } from './hts-description.tsx';
import { listName } from './list-name.ts';
import { ListingDetails } from './listing.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Shows a variant's Section 232 result with its sources, and a form for editing the variant's code. */
export function VariantScreen({ result, busy, onSave, ...view }: VariantView & EditFormProps) {
  const { t } = useTranslation();
  const format = useFormat(view.timeZone);
  const { status, listings, below, near, changedAt } = view;
  const { previous, next } = view.neighbors;
  const list = queryString(view.asked);
  // Show a change in the rate, date, or conditions only if nothing else changed, because such a change is often the
  // result of another change.
  const changes = view.changes.filter(({ field }) => field !== 'answer' || view.changes.length === 1);
  return (
    // A product title might consist of a single long word.
    <div style={{ overflowWrap: 'anywhere' }}>
      <Page
        title={[view.product, view.variant].flatMap(text => (text ? bidiIsolate(text) : [])).join(' – ')}
        backAction={{ content: t('app.nav.catalog'), url: `/app/catalog${list}` }}
      >
        <Layout>
          <Layout.Section>
            <BlockStack gap="400">
              {(previous || next) && (
                <InlineRow>
                  {previous && <Link url={`/app/catalog/${previous}${list}`}>{t('catalog.previousVariant')}</Link>}
                  {next && <Link url={`/app/catalog/${next}${list}`}>{t('catalog.nextVariant')}</Link>}
                </InlineRow>
              )}
              <Card>
                <BlockStack gap="200">
                  <InlineStack gap="200" blockAlign="center">
                    <Text as="h2" variant="headingMd">
                      {t('catalog.answer')}
                    </Text>
                    <StatusBadge status={status} />
                  </InlineStack>
                  <Text as="p">{t(`catalog.means.${status}`)}</Text>
                  <DutyEstimate {...view} />
                  {view.duty && (
                    <Text as="p" tone="subdued">
                      {t('catalog.duty.price')}
                    </Text>
                  )}
                  {status === 'needs_digits' && below.length > 0 && (
                    <>
                      <Text as="p">{t('catalog.below', { code: view.printed })}</Text>
                      <List>
                        {below.map(({ hts, program, role, description }) => (
                          <List.Item key={`${hts} ${program} ${role}`}>
                            {hts} · {listName(t, { program, role })}
                            {description && (
                              <>
                                {' · '}
                                <HtsDescription rows={description} />
                              </>
                            )}
                          </List.Item>
                        ))}
                      </List>
                    </>
                  )}
                  {near.length > 0 && (
                    <>
                      <Text as="p">{t('catalog.near')}</Text>
                      <List>
                        {near.map(hit => (
                          <List.Item key={`${hit.hts} ${hit.list} ${hit.effective_from}`}>
                            {hit.hts} · {listName(t, hit)} ·{' '}
                            {t(`catalog.relation.${hit.relation}`, {
                              from: format.day(hit.effective_from),
                              to: hit.effective_to && format.day(hit.effective_to),
                            })}
                            {hit.description && (
                              <>
                                {' · '}
                                <HtsDescription rows={hit.description} />
                              </>
                            )}
                          </List.Item>
                        ))}
                      </List>
                    </>
                  )}
                  <Text as="p" tone="subdued">
                    {view.knownThrough === null
                      ? t('catalog.listsThen', { version: view.listVersion })
                      : t('catalog.lists', { version: view.listVersion, known: format.day(view.knownThrough) })}{' '}
                    {t('catalog.checked', { at: format.dateTime(view.checkedAt) })}
                  </Text>
                </BlockStack>
              </Card>
              {status !== 'needs_digits' &&
                listings.map(listing => <ListingDetails key={`${listing.list} ${listing.hts}`} listing={listing} />)}
              {status !== 'needs_digits' && view.stacking.length > 0 && (
                <Card>
                  <BlockStack gap="200">
                    <Text as="h3" variant="headingSm">
                      {t('catalog.stacking')}
                    </Text>
                    <List>
                      {view.stacking.map(({ programs, text, citation, language }) => (
                        <List.Item key={programs.join()}>
                          <span lang={language}>{text}</span> <span lang="en">({citation})</span>
                        </List.Item>
                      ))}
                    </List>
                  </BlockStack>
                </Card>
              )}
              <EfilingCard efiling={view.efiling} />
              <EditForm {...view} result={result} busy={busy} onSave={onSave} />
            </BlockStack>
          </Layout.Section>
          <Layout.Section variant="oneThird">
            <Card>
              <BlockStack gap="200">
                <Text as="h2" variant="headingSm">
                  {t('catalog.facts')}
                </Text>
                <Text as="p" breakWord>
                  {view.htsCode === null
                    ? t('catalog.noCode')
                    : t('catalog.code', { code: view.printed ?? view.htsCode })}
                </Text>
                {view.htsCode !== null && (
                  <>
                    {view.description && (
                      <Text as="p" breakWord>
                        <HtsDescription rows={view.description} />
                      </Text>
                    )}
                    {view.printed !== null && view.edition !== null && !view.description && (
                      <Text as="p">{t('catalog.descriptions.unknownCode', { edition: view.edition })}</Text>
                    )}
                    <Text as="p">{t(`catalog.digits.${view.digits}`)}</Text>
                    <Text as="p">{t(`catalog.codeFor.${view.codeFor}`)}</Text>
                  </>
                )}
                <Text as="p">
                  {view.origin === null ? t('catalog.noOrigin') : t('catalog.origin', { origin: view.origin })}
                </Text>
                {view.sku && (
                  <Text as="p" breakWord>
                    {t('catalog.sku', { sku: view.sku })}
                  </Text>
                )}
                <Link url={view.adminUrl} target="_top">
                  {t('catalog.openInShopify')}
                </Link>
                {changedAt !== null && (
                  <>
                    <Text as="h3" variant="headingSm">
                      {t('catalog.history', { date: format.date(changedAt) })}
                    </Text>
                    <List>
                      {changes.map(({ field, from, to }) => (
                        <List.Item key={field}>
                          {field === 'answer'
                            ? t('catalog.change.answer')
                            : t(`catalog.change.${field}`, {
                                from: changedValue(field, from),
                                to: changedValue(field, to),
                              })}
                        </List.Item>
                      ))}
                    </List>
                  </>
                )}
              </BlockStack>
            </Card>
          </Layout.Section>
        </Layout>
      </Page>
    </div>
  );

  function changedValue(field: string, value: string | null): string {
    if (value === null) return t('catalog.change.none');
    return field === 'status' ? t(`catalog.status.${value}`) : value;
  }
}
