import { DATASET } from '../dataset/dataset.ts';
import { deepestNode, type Listing, listingOn, type Provision, pathToRoot } from '../dataset/provisions.ts';

/** A provision that covers the code, and its listing in force. */
export interface ListedProvision {
  readonly provision: Provision;
  readonly listing: Listing;
  /** Whether the provision is an example of several numbers with the same listing. */
  readonly isExample: boolean;
}

/** Numbers that a submitted code can mean, with the same duties. */
export interface NumberVariant {
  /** The listed numbers under the code. Null is the code itself, or a number under it that isn't listed. */
  readonly codes: readonly (string | null)[];
  /** The provisions that cover the first number. */
  readonly listed: readonly ListedProvision[];
}

/** Codes that headings are limited to. */
const HEADING_LIMITS = [...new Set(DATASET.headings.flatMap(({ codes = [] }) => codes))];

/**
 * Returns the numbers that a code can mean: only itself, unless listed numbers start with it. Numbers with the same listings
 * and conditions are one variant.
 */
export function variantsOf(digits: string, date: string): NumberVariant[] {
  const node = deepestNode(digits);
  if (!node) return [{ codes: [null], listed: [] }];
  const full = inForce(
    pathToRoot(node).flatMap(({ provisions }) => provisions),
    date,
  );
  const below = node.digits.length === digits.length ? inForce(node.descendants, date) : [];
  if (below.length === 0) return [{ codes: [null], listed: full }];
  const ids = new Map<Listing, number>();
  const keyOf = ({ provision, listing }: ListedProvision) => {
    if (!ids.has(listing)) ids.set(listing, ids.size);
    const { prefix, conditions, caveats } = provision;
    const limits = HEADING_LIMITS.filter(limit => prefix.startsWith(limit));
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
