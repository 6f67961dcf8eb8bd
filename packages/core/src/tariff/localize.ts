import { DATASET } from './dataset/dataset.ts';
import type { MatchStacking } from './lookup/code-result.ts';
import type { Condition, Outcome } from './lookup/duty.ts';
import type { Caveat, Match } from './lookup/match.ts';

/** A data set's strings in one language: conditions and caveats by ID, and stacking rules by their English text. */
export interface TariffTranslation {
  /** BCP 47 language tag. */
  readonly locale: string;
  readonly conditions: Readonly<Partial<Record<string, string>>>;
  readonly caveats: Readonly<Partial<Record<string, string>>>;
  readonly stacking: Readonly<Partial<Record<string, string>>>;
}

/** An item and the language of its text: the translation's language, or English if the text isn't translated. */
type Localized<Text> = Text & { readonly language?: string };

type LocalizableListing = Pick<Match, 'conditions' | 'outcomes' | 'caveats'>;

/** A listing whose conditions and caveats are in another language. */
export type LocalizedListing<Listing extends LocalizableListing> = Omit<Listing, keyof LocalizableListing> & {
  readonly conditions: readonly Localized<Condition>[];
  readonly outcomes: readonly (Omit<Outcome, 'when'> & { readonly when: readonly Localized<Condition>[] })[];
  readonly caveats: readonly Localized<Caveat>[];
};

/**
 * Returns a listing with its conditions and caveats in another language. Text that isn't in the bundled data set stays
 * in English, because a newer data set can use the same ID for different text.
 *
 * @example
 * const [match] = lookup(['9403.40.90'], { asOf: '2026-10-01' }).results[0].matches;
 * const conditions = { completed_cabinet: 'der Artikel ist ein fertiger Küchenschrank' };
 * const german = { locale: 'de', conditions, caveats: {}, stacking: {} };
 * localizeListing(match, german).conditions[0].text // 'der Artikel ist ein fertiger Küchenschrank'
 */
export function localizeListing<Listing extends LocalizableListing>(
  { conditions, outcomes, caveats, ...listing }: Listing,
  translation: TariffTranslation,
): LocalizedListing<Listing> {
  const condition = (one: Condition) =>
    localized(
      one,
      DATASET.conditions[one.id]?.text === one.text ? translation.conditions[one.id] : undefined,
      translation,
    );
  return {
    ...listing,
    conditions: conditions.map(condition),
    outcomes: outcomes.map(outcome => ({ ...outcome, when: outcome.when.map(condition) })),
    caveats: caveats.map(one =>
      localized(one, DATASET.caveats[one.id] === one.text ? translation.caveats[one.id] : undefined, translation),
    ),
  };
}

/** A relation between two duties, with its text in another language. */
export type LocalizedStacking = Localized<MatchStacking>;

/**
 * Returns a relation between two duties with its text in another language.
 *
 * @example
 * const german = { locale: 'de', conditions: {}, caveats: {}, stacking: { 'Both duties apply.': 'Beide Zölle fallen an.' } };
 * localizeStacking({ text: 'Both duties apply.' }, german).text // 'Beide Zölle fallen an.'
 */
export const localizeStacking = (stacking: MatchStacking, translation: TariffTranslation): LocalizedStacking =>
  localized(
    stacking,
    Object.hasOwn(translation.stacking, stacking.text) ? translation.stacking[stacking.text] : undefined,
    translation,
  );

const localized = <Item extends { readonly text: string }>(
  item: Item,
  text: string | undefined,
  { locale }: TariffTranslation,
): Localized<Item> => (text === undefined ? { ...item, language: 'en' } : { ...item, text, language: locale });
