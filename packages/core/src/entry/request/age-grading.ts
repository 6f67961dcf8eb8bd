import { ageGroupIn, namesAdults, namesChildren, OLDEST_CHILD } from './age.ts';
import type { CertificateRequest } from './schema.ts';
import { describingTexts } from './variants.ts';

type Audience = 'children' | 'general_use';

/** A reason for the age grading result, with the legal provision it's based on. */
interface GradingReason {
  text: string;
  citation: string;
}

/**
 * The kind of certificate that a product needs based on its audience: `CPC` for children's products, `GCC` for all
 * others, or `undetermined` if the stated facts aren't conclusive. `separate` is the kind of certificate that the other
 * product in the same set needs, or null.
 */
export interface AgeGrading {
  decision: 'CPC' | 'GCC' | 'undetermined';
  separate: 'CPC' | 'GCC' | null;
  reasons: readonly GradingReason[];
}

const FACTORS = '16 CFR 1200.2(a)(1)';
const LABEL = '16 CFR 1200.2(c)(1)';
/** Age, in months, at a child's 13th birthday. */
const CHILD_MONTHS = (OLDEST_CHILD + 1) * 12;

/**
 * Decides whether a product is a children's product. Weighs the four factors in 16 CFR 1200.2(a)(1): the manufacturer's
 * statement, the product's presentation, common recognition, and CPSC's Age Determination Guidelines. The statement
 * alone never outweighs the other factors, and contradictory factors leave the decision open.
 *
 * @example gradeAge({ product_info, age_grading: { stated_use: 'children' } }).decision // 'CPC'
 */
export function gradeAge({
  product_info,
  age_grading: facts = {},
}: Pick<CertificateRequest, 'product_info' | 'age_grading'>): AgeGrading {
  const words = facts.marketing === undefined ? audienceOfWords(product_info) : null;
  const stated = statementOf(facts);
  const others = [facts.marketing ?? words?.audience, facts.common_recognition, facts.age_guidelines].filter(
    each => each !== undefined,
  );
  const explicit = [facts.marketing, facts.common_recognition, facts.age_guidelines].some(each => each !== undefined);
  const reasons: GradingReason[] = [...stated.reasons, ...(words ? [words.reason] : []), ...factorReasons(facts)];
  const separate = (decision: AgeGrading['decision']): AgeGrading['separate'] => {
    if (!facts.sold_with_other_audience || decision === 'undetermined') return null;
    return decision === 'CPC' ? 'GCC' : 'CPC';
  };
  const decide = (decision: AgeGrading['decision'], reason: GradingReason): AgeGrading => ({
    decision,
    separate: separate(decision),
    reasons: [...reasons, reason],
  });
  const kind = (audience: Audience) => (audience === 'children' ? 'CPC' : 'GCC');

  if (others.length === 0) {
    if (stated.audience === null)
      return decide('undetermined', {
        text: 'These facts don’t determine whether the product is primarily for children 12 or younger.',
        citation: FACTORS,
      });
    return decide(kind(stated.audience), {
      text: 'This decision is based only on the manufacturer’s statement, because no other factors were given. CPSC also considers factors other than the manufacturer’s statement.',
      citation: LABEL,
    });
  }
  if (new Set(others).size > 1)
    return decide('undetermined', {
      text: 'The factors conflict, so the decision depends on the individual product.',
      citation: '16 CFR 1200.2(a)(2)',
    });
  const shown = others[0]!;
  if (stated.audience === null || stated.audience === shown)
    return decide(kind(shown), {
      text:
        shown === 'children'
          ? 'The product is primarily for children 12 or younger.'
          : 'The product isn’t primarily for children 12 or younger.',
      citation: FACTORS,
    });
  if (shown === 'children' && explicit)
    return decide('CPC', {
      text: 'A product that appeals primarily to children 12 or younger is a children’s product, even if the manufacturer states otherwise.',
      citation: LABEL,
    });
  return decide('undetermined', {
    text: 'The manufacturer’s statement contradicts the other factors.',
    citation: LABEL,
  });
}

type Facts = NonNullable<CertificateRequest['age_grading']>;

/**
 * Returns the audience that the manufacturer states. An age range that includes both children 12 or younger and people
 * 13 or older doesn't indicate an audience.
 */
function statementOf({ ages, stated_use }: Facts): { audience: Audience | null; reasons: GradingReason[] } {
  const reasons: GradingReason[] = [];
  let fromAges: Audience | null = null;
  if (ages) {
    const { from_months: from, to_months: to } = ages;
    const range = to === undefined ? `${from} months and up` : `${from} to ${to} months`;
    if (to !== undefined && to < CHILD_MONTHS) fromAges = 'children';
    else if (from >= CHILD_MONTHS) fromAges = 'general_use';
    const meaning = {
      children: 'only children 12 or younger',
      general_use: 'only people 13 or older',
      null: 'both children 12 or younger and people 13 or older',
    }[fromAges ?? 'null'];
    reasons.push({ text: `The stated age range, ${range}, covers ${meaning}.`, citation: FACTORS });
  }
  if (stated_use)
    reasons.push({
      text: `The manufacturer states that the product is for ${IN_WORDS[stated_use]}.`,
      citation: FACTORS,
    });
  const contradict = fromAges !== null && stated_use !== undefined && fromAges !== stated_use;
  return { audience: contradict ? null : (stated_use ?? fromAges), reasons };
}

const IN_WORDS = { children: 'children 12 or younger', general_use: 'general use' } as const;

function factorReasons({ marketing, common_recognition, age_guidelines }: Facts): GradingReason[] {
  const reason = (what: string, audience: Audience | undefined) =>
    audience ? [{ text: `${what} ${IN_WORDS[audience]}.`, citation: FACTORS }] : [];
  return [
    ...reason('The product is presented as being for', marketing),
    ...reason('Consumers commonly recognize the product as being for', common_recognition),
    ...reason('CPSC’s Age Determination Guidelines indicate that the product is for', age_guidelines),
  ];
}

/** Returns the audience that the product's names and description suggest, or null if they suggest none or both. */
function audienceOfWords(
  product: CertificateRequest['product_info'],
): { audience: Audience; reason: GradingReason } | null {
  const texts = describingTexts(product).map(([, text]) => text);
  const { from = 0, to = Number.POSITIVE_INFINITY } = texts.map(ageGroupIn).find(age => age !== null) ?? {};
  const endsLater = to > OLDEST_CHILD && Number.isFinite(to);
  const children = to <= OLDEST_CHILD || (texts.some(namesChildren) && !endsLater && from <= OLDEST_CHILD);
  const adults = texts.some(namesAdults) || from > OLDEST_CHILD;
  if (children === adults) return null;
  const audience = children ? 'children' : 'general_use';
  const text = `The product’s name or description suggests that the product is intended for ${IN_WORDS[audience]}.`;
  return { audience, reason: { text, citation: FACTORS } };
}
