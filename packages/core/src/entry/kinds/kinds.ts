import type { MessageText } from '../translations/messages.ts';

/** The two kinds of certificates: general and children's. */
export const CERTIFICATE_KINDS = ['GCC', 'CPC'] as const;

/** One of {@link CERTIFICATE_KINDS}. */
export type CertificateKind = (typeof CERTIFICATE_KINDS)[number];

/** Fixed values that differ between the two kinds of certificates. */
interface KindProperties {
  /** Record format. The version changes whenever the record structure changes. */
  readonly format: 'gcc-1' | 'cpc-1';
  readonly title: MessageText;
  /** The law that the PDF cites below its title. */
  readonly law: string;
  /** Filename of the record attached to the PDF. */
  readonly attachment: string;
  /** Headings of sections 2 and 7 of CPSC's public form. The other headings are the same for both kinds. */
  readonly headings: { readonly rules: MessageText; readonly labs: MessageText };
}

/** Properties of each certificate kind. */
export const KINDS: Readonly<Record<CertificateKind, KindProperties>> = {
  GCC: {
    format: 'gcc-1',
    title: 'General Certificate of Conformity',
    law: '16 CFR part 1110',
    attachment: 'gcc.json',
    headings: {
      rules: '2. Citation to each CPSC product safety regulation to which this product is being certified',
      labs: '7. Identification of any third-party laboratory on whose testing the certificate depends',
    },
  },
  CPC: {
    format: 'cpc-1',
    title: 'Children’s Product Certificate',
    law: '16 CFR parts 1107, 1109, and 1110',
    attachment: 'cpc.json',
    headings: {
      rules: '2. Citation to each CPSC children’s product safety rule to which this product is being certified',
      labs: '7. Identification of any third-party, CPSC-accepted laboratory on whose testing the certificate depends',
    },
  },
};

/**
 * Returns a record's certificate kind.
 *
 * @example certificateKind({ format: 'cpc-1' }) // 'CPC'
 */
export function certificateKind({ format }: { readonly format: 'gcc-1' | 'cpc-1' }): CertificateKind {
  return format === 'cpc-1' ? 'CPC' : 'GCC';
}
