import type { LocalizedListing } from '@compliance/core/tariff';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { TariffListing } from '../../../src/catalog/model/classify.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, List, Text } from '../../ui/kit/components.ts';
import { listName } from './list-name.ts';

/**
 * Shows the duty, dates, conditions, and citation for a listing that covers the code. The citation is always in
 * English.
 */
export function ListingDetails({ listing }: { readonly listing: LocalizedListing<TariffListing> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { hts, annex, headings, conditions, outcomes, citation, caveats, next } = listing;
  const others = outcomes.slice(1);
  const { duty_from: dutyFrom = listing.effective_from } = listing;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h3" variant="headingSm">
          {listName(t, listing)}
        </Text>
        <Text as="p">
          <Rate duty={listing} />
        </Text>
        <List>
          <List.Item>{t('catalog.listing.hts', { hts })}</List.Item>
          {annex && <List.Item>{t('catalog.listing.annex', { annex })}</List.Item>}
          <List.Item>
            {listing.effective_to === null
              ? t('catalog.listing.since', { from: format.day(listing.effective_from) })
              : t('catalog.listing.between', {
                  from: format.day(listing.effective_from),
                  to: format.day(listing.effective_to),
                })}
          </List.Item>
          {next && (
            <List.Item>
              {t('catalog.listing.next', { from: format.day(next.effective_from) })} <Rate duty={next} />
            </List.Item>
          )}
          <List.Item>
            {dutyFrom > listing.effective_from
              ? t('catalog.listing.headingsSince', { headings: headings.join(', '), from: format.day(dutyFrom) })
              : t('catalog.listing.headings', { headings: headings.join(', ') })}
          </List.Item>
        </List>
        {conditions.length > 0 && (
          <>
            <Text as="p">{t('catalog.listing.conditions')}</Text>
            <List>
              {conditions.map(({ id, text, language }) => (
                <List.Item key={id}>
                  <span lang={language}>{text}</span>
                </List.Item>
              ))}
            </List>
          </>
        )}
        {others.length > 0 && (
          <>
            <Text as="p">{t('catalog.listing.others')}</Text>
            <List>
              {others.map(outcome => (
                <List.Item key={outcome.headings.join()}>
                  {outcome.when.map(({ id, text, language }, index) => (
                    <Fragment key={id}>
                      {index > 0 && '; '}
                      <span lang={language}>{text}</span>
                    </Fragment>
                  ))}{' '}
                  → <Rate duty={outcome} />
                </List.Item>
              ))}
            </List>
          </>
        )}
        {caveats.map(({ id, text, language }) => (
          <Text as="p" key={id} tone="subdued">
            <span lang={language}>{text}</span>
          </Text>
        ))}
        <Text as="p" tone="subdued" breakWord>
          {t('catalog.listing.source')} <span lang="en">{citation}</span>
        </Text>
      </BlockStack>
    </Card>
  );
}

/** Describes a duty rate in a sentence. */
function Rate({ duty }: { readonly duty: Pick<TariffListing, 'rate_pct' | 'rate_type' | 'value_basis'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (duty.rate_pct === null) return t('catalog.rate.unknown');
  if (duty.rate_type === 'none') return t('catalog.rate.none');
  const basis = t(`catalog.basis.${duty.value_basis}`);
  return t(`catalog.rate.${duty.rate_type}`, { rate: format.number(duty.rate_pct), basis });
}
