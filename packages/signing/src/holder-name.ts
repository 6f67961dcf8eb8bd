import type { RelativeDistinguishedNames } from 'pkijs';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/**
 * Returns the common name from a certificate's subject or issuer. Falls back to the organization, and then to
 * `unknown`.
 */
export function holderName({ typesAndValues }: RelativeDistinguishedNames): string {
  const textOf = (type: string) => typesAndValues.find(each => each.type === type)?.value.valueBlock.value;
  return String(textOf(COMMON_NAME) ?? textOf(ORGANIZATION) ?? 'unknown');
}
