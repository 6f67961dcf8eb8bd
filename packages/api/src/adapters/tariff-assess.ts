import { type Article, type Assessment, assess, type Dataset, type Nomenclature } from '@compliance/core/tariff';

/** Assesses the duties on an article. Uses the column 1 and column 2 rates from the imported HTS export, if any. */
export type Assess = (article: Article) => Assessment;

/**
 * Creates a function that assesses the duties on an article. The function uses a data set and, unless `nomenclature` is
 * null, the rates from an HTS export.
 *
 * @throws AssessError from the returned function if the article is invalid
 * @example
 * const assessArticle = createAssess(DATASET, null);
 * assessArticle({ code: '0101.21.00', as_of: '2026-10-01', origin: 'DE' }).duties // []
 */
export function createAssess(dataset: Dataset, nomenclature: Nomenclature | null): Assess {
  return article => assess(article, { dataset, ...(nomenclature && { nomenclature }) });
}
