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
 * The words a certifier attests with, and how they were checked. `reviewed.live_page` is true once a person compared them
 * with the live eCFR page.
 */
export type AttestationText = z.infer<typeof Texts>[number];

const texts: readonly AttestationText[] = Texts.parse(data);

/**
 * The attestation of that version, or `null` when there is none.
 *
 * @example attestationText('16cfr1110.11-2026-07-08')?.citation // '16 CFR 1110.11(a)(7)'
 */
export function attestationText(version: string): AttestationText | null {
  return texts.find(text => text.version === version) ?? null;
}

/** The attestation in force: what an unsigned certificate prints, and what `attestation.text_version` should name. */
export const currentAttestation: AttestationText = texts[0]!;
