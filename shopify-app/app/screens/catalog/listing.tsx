import { BlockStack, Card, List, Text } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { Listing as Facts } from '../../../src/catalog/answer.ts';
import { useFormat } from '../../i18n/format.ts';

/**
 * One listing that covers the code: what is charged and when, under which facts, by which act. Words of the law stay in
 * English, as they are the law's.
 */
export function Listing({ listing }: { readonly listing: Facts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { program, role, hts, annex, headings, conditions, outcomes, citation, caveats, next } = listing;
  const others = outcomes.filter(({ when }) => when.length > conditions.length);
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h3" variant="headingSm">
          {t(`catalog.list.${role}`, { program: t(`catalog.program.${program}`) })}
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
          <List.Item>{t('catalog.listing.headings', { headings: headings.join(', ') })}</List.Item>
        </List>
        {conditions.length > 0 && (
          <>
            <Text as="p">{t('catalog.listing.conditions')}</Text>
            <List>
              {conditions.map(({ id, text }) => (
                <List.Item key={id}>
                  <span lang="en">{text}</span>
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
                  <span lang="en">{outcome.when.map(({ text }) => text).join('; ')}</span> → <Rate duty={outcome} />
                </List.Item>
              ))}
            </List>
          </>
        )}
        {caveats.map(({ id, text }) => (
          <Text as="p" key={id} tone="subdued">
            <span lang="en">{text}</span>
          </Text>
        ))}
        <Text as="p" tone="subdued" breakWord>
          {t('catalog.listing.source')} <span lang="en">{citation}</span>
        </Text>
      </BlockStack>
    </Card>
  );
}

/** What is charged, in words. */
function Rate({ duty }: { readonly duty: Pick<Facts, 'rate_pct' | 'rate_type' | 'value_basis'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (duty.rate_pct === null) return t('catalog.rate.unknown');
  if (duty.rate_type === 'none') return t('catalog.rate.none');
  const basis = t(`catalog.basis.${duty.value_basis}`);
  return t(`catalog.rate.${duty.rate_type}`, { rate: format.number(duty.rate_pct), basis });
}
