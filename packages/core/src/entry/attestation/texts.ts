import * as z from 'zod';
import data from './texts.json' with { type: 'json' };

const Texts = z
  .array(
    z.strictObject({
      version: z.string().min(1),
      citation: z.string().min(1),
      in_force_since: z.iso.date(),
      url: z.url(),
      reviewed: z.strictObject({ against: z.string().min(1), live_page: z.boolean() }),
      sentences: z.array(z.string().min(1)).min(1),
    }),
  )
  .min(1);

/**
 * The text that a certifier attests to, with its review status. `reviewed.live_page` is true if a person has compared
 * the text with the live eCFR page.
 */
export type AttestationText = z.infer<typeof Texts>[number];

const texts: readonly AttestationText[] = Texts.parse(data);

/** The versions of all attestation texts, newest first. */
export const attestationVersions: readonly string[] = texts.map(({ version }) => version);

/**
 * Returns the attestation text for a version, or `null` if the version doesn't exist.
 *
 * @example attestationText('16cfr1110.11-2026-07-08')?.citation // '16 CFR 1110.11(a)(7)'
 */
export function attestationText(version: string): AttestationText | null {
  return texts.find(text => text.version === version) ?? null;
}

/**
 * The current attestation text. Certificates without an attestation contain this text. In a new attestation, set
 * `attestation.text_version` to this text's version.
 */
export const currentAttestation: AttestationText = texts[0]!;
