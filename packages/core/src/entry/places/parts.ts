/** Parts of an address. Except for `country`, a part that the text doesn't contain is an empty string. */
export interface Address {
  /** All text that isn't in another part, such as the street, the building, and the district. */
  readonly street: string;
  readonly city: string;
  /** State, province, or prefecture. For the United States, the state's USPS code. */
  readonly state: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-2 code, or null if neither the text nor the caller names the country. */
  readonly country: string | null;
}
