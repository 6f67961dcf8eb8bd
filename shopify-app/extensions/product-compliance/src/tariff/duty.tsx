import type { DecidingFact, ListedDuty } from '../../../../src/product-extensions/contract.ts';
import { formatDay, type I18n } from '../host.ts';

/** Programs with a translated name. A newer data set can contain other programs. */
const PROGRAMS: readonly string[] = [
  ...['steel', 'aluminum', 'copper', 'autos', 'auto_parts', 'trucks', 'buses', 'truck_parts', 'timber'],
  ...['upholstered_furniture', 'kitchen_cabinets', 'semiconductors', 'pharmaceuticals', 'uas', 'polysilicon'],
];

/** Props for a duty. */
interface DutyProps {
  readonly i18n: I18n;
  readonly duty: ListedDuty;
}

/**
 * Shows an additional duty, its start date, its legal source, and the facts that determine whether the duty applies.
 */
export function Duty({ i18n, duty }: DutyProps) {
  const { program, role, from, citation, decidedBy } = duty;
  const name = PROGRAMS.includes(program) ? i18n.translate(`program.${program}`) : program.replaceAll('_', ' ');
  return (
    <s-stack gap="small-200">
      <s-text type="strong">{i18n.translate(`list.${role}`, { program: name })}</s-text>
      <s-text>
        {rateOf(i18n, duty)} {i18n.translate('tariff.since', { date: formatDay(i18n, from) })}
      </s-text>
      {decidedBy.length > 0 && (
        <>
          <s-text>{i18n.translate('tariff.decides')}</s-text>
          <s-unordered-list>
            {decidedBy.map(fact => {
              const text = factText(i18n, fact);
              return <s-list-item key={text}>{text}</s-list-item>;
            })}
          </s-unordered-list>
        </>
      )}
      <s-text color="subdued">{i18n.translate('tariff.source', { citation })}</s-text>
    </s-stack>
  );
}

function rateOf(i18n: I18n, { rate, rateType, basis }: ListedDuty): string {
  if (rate === null) return i18n.translate('rate.unknown');
  if (rateType === 'none') return i18n.translate('rate.none');
  const values = { rate: i18n.formatNumber(rate), basis: i18n.translate(`basis.${basis}`) };
  return i18n.translate(`rate.${rateType}`, values);
}

const factText = (i18n: I18n, fact: DecidingFact): string =>
  fact.fact === 'origin' ? i18n.translate('tariff.origin') : fact.text;
