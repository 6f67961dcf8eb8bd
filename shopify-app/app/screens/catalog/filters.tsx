import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogStatus, DigitState } from '../../../src/catalog/model/classify.ts';
import type { CatalogQuery } from '../../../src/catalog/model/query.ts';
import { Button, Card, FormLayout, Select, TextField } from '../../ui/kit/components.ts';

const STATUSES: readonly CatalogStatus[] = [
  'hit',
  'in_scope',
  'adjacent',
  'clear',
  'needs_digits',
  'missing',
  'invalid',
];
const DIGITS: readonly DigitState[] = ['full', 'short', 'missing', 'invalid'];

/**
 * Shows the catalog filters. The URL contains the selected filters, so merchants can bookmark or share a filtered list.
 */
export function CatalogFilters({
  asked,
  onFilter,
}: {
  readonly asked: CatalogQuery;
  readonly onFilter: (query: Partial<CatalogQuery>) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(asked.text ?? '');
  const apply = (change: Partial<CatalogQuery>) =>
    onFilter({ ...asked, changed: undefined, cursor: undefined, ...change });
  const any = { label: t('catalog.filter.any'), value: '' };
  return (
    <Card>
      <form
        onSubmit={event => {
          event.preventDefault();
          apply({ text });
        }}
      >
        <FormLayout>
          <TextField
            label={t('catalog.filter.text')}
            value={text}
            onChange={setText}
            maxLength={200}
            autoComplete="off"
            connectedRight={<Button submit>{t('catalog.filter.search')}</Button>}
          />
          <FormLayout.Group>
            <Select
              label={t('catalog.filter.status')}
              value={asked.status ?? ''}
              options={[any, ...STATUSES.map(value => ({ value, label: t(`catalog.status.${value}`) }))]}
              onChange={status => apply({ status: (status || undefined) as CatalogQuery['status'] })}
            />
            <Select
              label={t('catalog.filter.digits')}
              value={asked.digits ?? ''}
              options={[any, ...DIGITS.map(value => ({ value, label: t(`catalog.digits.${value}`) }))]}
              onChange={digits => apply({ digits: (digits || undefined) as CatalogQuery['digits'] })}
            />
            <Select
              label={t('catalog.duty.sort')}
              value={asked.changed ? 'title' : (asked.sort ?? '')}
              options={[
                { label: t('catalog.duty.byDuty'), value: '' },
                { label: t('catalog.duty.byTitle'), value: 'title' },
              ]}
              onChange={sort => apply({ sort: (sort || undefined) as CatalogQuery['sort'] })}
            />
          </FormLayout.Group>
        </FormLayout>
      </form>
    </Card>
  );
}
