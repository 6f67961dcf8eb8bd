import { Card, FormLayout, Select } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { Asked } from '../../../src/findings/filter.ts';
import type { FindingsView } from '../../../src/findings/findings.ts';
import { queryOf } from '../../document/query-of.ts';
import { useGo } from '../../document/use-go.ts';

/** What to see. It is in the address, so that it can be kept and sent. */
export function Filters({ asked, rules, places }: Pick<FindingsView, 'asked' | 'rules' | 'places'>) {
  const { t } = useTranslation();
  const go = useGo();
  const ask = (change: Partial<Asked>) => go(`/app/findings${queryOf({ ...asked, cursor: undefined, ...change })}`);
  // The numbers are those of open findings.
  const withCount = (label: string, count: number) =>
    asked.status === 'open' && count > 0 ? `${label} (${count})` : label;
  const any = { label: t('findings.filter.any'), value: '' };
  return (
    <Card>
      <FormLayout>
        <FormLayout.Group condensed>
          <Select
            label={t('findings.filter.status')}
            value={asked.status}
            options={(['open', 'accepted', 'fixed'] as const).map(value => ({
              value,
              label: t(`findings.status.${value}`),
            }))}
            onChange={status => ask({ status: status as Asked['status'] })}
          />
          <Select
            label={t('findings.filter.severity')}
            value={asked.severity ?? ''}
            options={[
              any,
              ...(['error', 'warn', 'info'] as const).map(value => ({ value, label: t(`app.severity.${value}`) })),
            ]}
            onChange={severity => ask({ severity: (severity || undefined) as Asked['severity'] })}
          />
        </FormLayout.Group>
        <FormLayout.Group condensed>
          <Select
            label={t('findings.filter.rule')}
            value={asked.rule ?? ''}
            options={[
              any,
              ...rules.map(({ ruleId, title, count }) => ({ value: ruleId, label: withCount(title, count) })),
            ]}
            onChange={rule => ask({ rule: rule || undefined })}
          />
          <Select
            label={t('findings.filter.place')}
            value={asked.place ?? ''}
            options={[
              any,
              ...places.map(({ place, count }) => ({
                value: place,
                label: withCount(place.replace(/^(page|theme):/, ''), count),
              })),
            ]}
            onChange={place => ask({ place: place || undefined })}
          />
        </FormLayout.Group>
      </FormLayout>
    </Card>
  );
}
