import type { RelativeDistinguishedNames } from 'pkijs';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/** Returns the common name or, if it's absent, the organization in a certificate's subject or issuer. */
export function holderName({ typesAndValues }: RelativeDistinguishedNames): string {
  const textOf = (type: string) => typesAndValues.find(each => each.type === type)?.value.valueBlock.value;
  return String(textOf(COMMON_NAME) ?? textOf(ORGANIZATION) ?? 'unknown');
}
