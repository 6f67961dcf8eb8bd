import { useTranslation } from 'react-i18next';
import type { FindingsView } from '../../../src/findings/findings.ts';
import type { FindingsQuery } from '../../../src/findings/query.ts';
import { Card, FormLayout, Select } from '../../ui/kit/components.ts';
import { queryString } from '../../ui/query-string.ts';
import { useAppNavigate } from '../../ui/use-app-navigate.ts';

/**
 * Shows the finding filters. The URL contains the selected filters, so merchants can bookmark or share a filtered list.
 */
export function FindingFilters({ asked, rules, places }: Pick<FindingsView, 'asked' | 'rules' | 'places'>) {
  const { t } = useTranslation();
  const navigate = useAppNavigate();
  const apply = (change: Partial<FindingsQuery>) =>
    navigate(`/app/findings${queryString({ ...asked, cursor: undefined, ...change })}`);
  // Counts are available only for open findings.
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
            options={(['open', 'accepted', 'refuted', 'fixed'] as const).map(value => ({
              value,
              label: t(`findings.status.${value}`),
            }))}
            onChange={status => apply({ status: status as FindingsQuery['status'] })}
          />
          <Select
            label={t('findings.filter.severity')}
            value={asked.severity ?? ''}
            options={[
              any,
              ...(['error', 'warn', 'info'] as const).map(value => ({ value, label: t(`app.severity.${value}`) })),
            ]}
            onChange={severity => apply({ severity: (severity || undefined) as FindingsQuery['severity'] })}
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
            onChange={rule => apply({ rule: rule || undefined })}
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
            onChange={place => apply({ place: place || undefined })}
          />
        </FormLayout.Group>
      </FormLayout>
    </Card>
  );
}
