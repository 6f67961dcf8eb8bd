export { type Pkcs12Error, signerFromPkcs12 } from './pkcs12.ts';
export { type SignCertificate, SigningSettingsError, signWith } from './sign-certificate.ts';
export { type SignOptions, signerExpiry, signPdf } from './sign-pdf.ts';
export type { SignatureAlgorithm, Signer } from './signer.ts';
export { TimestampError, type Timestamper, timestampAuthority } from './timestamp.ts';
export { type PdfSignature, readSignature } from './verify.ts';
