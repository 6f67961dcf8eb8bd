import type { ProductSummary, VariantResult } from '../../../../src/product-extensions/contract.ts';
import { appPage, formatDay, type I18n } from '../host.ts';
import { Duty } from './duty.tsx';

/** Maximum number of groups to show. The app shows all groups. */
const MAX_GROUPS = 5;

const TONES = { covered: 'warning', unknown: 'caution', not_covered: 'neutral' } as const;

/** Props for a product's tariff results. */
interface VariantResultsProps {
  readonly i18n: I18n;
  readonly summary: ProductSummary;
}

/** Shows whether Section 232 covers the product's codes, with the duties or an explanation for each variant group. */
export function VariantResults({ i18n, summary }: VariantResultsProps) {
  const { groups, checkedAt, listsKnownThrough, isCurrent, areListsOld, isCut } = summary;
  const hidden = groups.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
  const date = i18n.formatDate(new Date(checkedAt), { dateStyle: 'medium' });
  const known = formatDay(i18n, listsKnownThrough);
  return (
    <s-section heading={i18n.translate('tariff.title')}>
      <s-stack gap="base">
        {groups.slice(0, MAX_GROUPS).map(group => (
          <Group key={group.number} i18n={i18n} group={group} isOnly={groups.length === 1} />
        ))}
        {(hidden > 0 || isCut) && (
          <s-paragraph>
            {isCut ? i18n.translate('tariff.cut') : i18n.translate('tariff.more', { count: hidden })}{' '}
            <s-link href={appPage('/app/catalog')}>{i18n.translate('tariff.catalog')}</s-link>
          </s-paragraph>
        )}
        <s-paragraph color="subdued">
          {i18n.translate('tariff.checked', { date })}{' '}
          {i18n.translate(isCurrent ? (areListsOld ? 'tariff.listsOld' : 'tariff.lists') : 'tariff.outdated', {
            known,
          })}
        </s-paragraph>
      </s-stack>
    </s-section>
  );
}

/** Props for a group of variants. */
interface GroupProps {
  readonly i18n: I18n;
  readonly group: VariantResult;
  readonly isOnly: boolean;
}

function Group({ i18n, group, isOnly }: GroupProps) {
  const { number, count, titles, code, coverage, status, duties } = group;
  return (
    <s-stack gap="small">
      <s-stack direction="inline" gap="small" alignItems="center">
        <s-badge tone={TONES[coverage]}>{i18n.translate(`coverage.${coverage}`)}</s-badge>
        <s-text type="strong">
          {code === null ? i18n.translate('tariff.noCode') : i18n.translate('tariff.code', { code })}
        </s-text>
      </s-stack>
      {!isOnly && <s-text>{variantsOf(i18n, count, titles)}</s-text>}
      {coverage !== 'covered' && <s-text>{i18n.translate(`means.${status}`)}</s-text>}
      {duties.map(duty => (
        <Duty key={`${duty.program} ${duty.role} ${duty.citation}`} i18n={i18n} duty={duty} />
      ))}
      <s-link href={appPage(`/app/catalog/${number}`)}>{i18n.translate('tariff.details')}</s-link>
    </s-stack>
  );
}

/** Returns the number and names of a group's variants, such as “3 variants: Small, Medium, Large”. */
function variantsOf(i18n: I18n, count: number, titles: readonly string[]): string {
  const variants = i18n.translate('tariff.variants', { count });
  if (titles.length === 0) return variants;
  const names = titles.length < count ? [...titles, '…'] : titles;
  return i18n.translate('tariff.named', { variants, names: names.join(i18n.translate('comma')) });
}
