import type { DatasetIndex } from '../dataset/dataset-index.ts';
import { deepestNode, type Listing, listingOn, type Provision, pathToRoot } from '../dataset/provisions.ts';
import { factValuesOf } from './fact-values.ts';

/** A provision that covers the code, with the listing that's in force on the date. */
export interface ListedProvision {
  readonly provision: Provision;
  readonly listing: Listing;
  /** Whether the provision represents several numbers with the same listing. */
  readonly isExample: boolean;
}

/** HTS numbers that a submitted code could refer to and that have the same duties. */
export interface NumberVariant {
  /** Listed numbers under the submitted code. Null represents the code itself or any unlisted number under the code. */
  readonly codes: readonly (string | null)[];
  /** Provisions that cover the first number in `codes`. */
  readonly listed: readonly ListedProvision[];
}

/**
 * Returns the HTS numbers that a code could refer to. If no listed numbers start with the code, the code refers only to
 * itself. Numbers with the same listings and conditions form one variant.
 */
export function variantsOf({ dataset, trie }: DatasetIndex, digits: string, date: string): NumberVariant[] {
  const node = deepestNode(trie, digits);
  if (!node) return [{ codes: [null], listed: [] }];
  const full = inForce(
    pathToRoot(node).flatMap(({ provisions }) => provisions),
    date,
  );
  const below = node.digits.length === digits.length ? inForce(node.descendants, date) : [];
  if (below.length === 0) return [{ codes: [null], listed: full }];
  const { headingLimits } = factValuesOf(dataset);
  const ids = new Map<Listing, number>();
  const keyOf = ({ provision, listing }: ListedProvision) => {
    if (!ids.has(listing)) ids.set(listing, ids.size);
    const { prefix, conditions, caveats } = provision;
    const limits = headingLimits.filter(limit => prefix.startsWith(limit));
    return [ids.get(listing), prefix.length, ...conditions, ...caveats, ...limits].join();
  };
  const variants = new Map<string, { codes: (string | null)[]; own: readonly ListedProvision[] }>();
  for (const code of [null, ...new Set(below.map(({ provision }) => provision.prefix))]) {
    const own = code === null ? [] : below.filter(({ provision }) => code.startsWith(provision.prefix));
    const key = own.map(keyOf).join(' ');
    const known = variants.get(key);
    if (known) known.codes.push(code);
    else variants.set(key, { codes: [code], own });
  }
  return [...variants.values()].map(({ codes, own }) => ({
    codes,
    listed: [...full, ...own.map(each => ({ ...each, isExample: codes.length > 1 }))],
  }));
}

function inForce(provisions: readonly Provision[], date: string): ListedProvision[] {
  return provisions.flatMap(provision => {
    const listing = listingOn(provision, date);
    return listing ? [{ provision, listing, isExample: false }] : [];
  });
}
