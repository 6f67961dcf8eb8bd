import { type Article, type Assessment, assess, type Nomenclature } from '@compliance/core/tariff';

/** Assesses the duties of an article, with the column 1 and 2 rates of the HTS export if one is imported. */
export type Assess = (article: Article) => Assessment;

/**
 * Creates an assess function that uses an HTS export.
 *
 * @throws AssessError from the returned function if the article is invalid
 * @example
 * const assessArticle = createAssess(null);
 * assessArticle({ code: '0101.21.00', as_of: '2026-10-01', origin: 'DE' }).duties // []
 */
export function createAssess(nomenclature: Nomenclature | null): Assess {
  return article => assess(article, nomenclature ? { nomenclature } : {});
}
