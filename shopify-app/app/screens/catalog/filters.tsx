import { Button, Card, FormLayout, Select, TextField } from '@shopify/polaris';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogStatus, DigitState } from '../../../src/catalog/answer.ts';
import type { Asked } from '../../../src/catalog/filter.ts';

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

/** What to see. It is in the address, so that it can be kept and sent. */
export function Filters({ asked, onAsk }: { readonly asked: Asked; readonly onAsk: (asked: Partial<Asked>) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(asked.text ?? '');
  const ask = (change: Partial<Asked>) => onAsk({ ...asked, changed: undefined, cursor: undefined, ...change });
  const any = { label: t('catalog.filter.any'), value: '' };
  return (
    <Card>
      <form
        onSubmit={event => {
          event.preventDefault();
          ask({ text });
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
              onChange={status => ask({ status: (status || undefined) as Asked['status'] })}
            />
            <Select
              label={t('catalog.filter.digits')}
              value={asked.digits ?? ''}
              options={[any, ...DIGITS.map(value => ({ value, label: t(`catalog.digits.${value}`) }))]}
              onChange={digits => ask({ digits: (digits || undefined) as Asked['digits'] })}
            />
          </FormLayout.Group>
        </FormLayout>
      </form>
    </Card>
  );
}
