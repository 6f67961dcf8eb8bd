import { useTranslation } from 'react-i18next';
import type { DutyView } from '../../../src/catalog/model/duty.ts';
import { useFormat } from '../../i18n/format.ts';
import { Text } from '../../ui/kit/components.ts';

/** Shows a variant's estimated duty, or explains why the duty is unknown. */
export function DutyEstimate({ duty, dutyUnknown }: DutyView) {
  const { t } = useTranslation();
  const format = useFormat();
  if (dutyUnknown) return <Text as="p">{t(`catalog.duty.unknown.${dutyUnknown}`)}</Text>;
  if (!duty) return null;
  const amount = format.amount(duty.max);
  return (
    <Text as="p">
      {duty.min === duty.max
        ? t('catalog.duty.exact', { amount })
        : t('catalog.duty.range', { min: format.amount(duty.min), max: amount })}
    </Text>
  );
}
