import { randomUUID } from 'node:crypto';
import type { Shop, ShopRecord } from '@compliance/store/shop';
import { z } from 'zod';
import { type Fields, readFields } from './draft.ts';

/** Key of the shop setting that stores the merchant's certificate profiles. */
const SETTING = 'certificateProfiles';

/** Maximum number of profiles per shop. */
const MAX_PROFILES = 20;

/** Parts of a certificate request that a profile contains. */
const PARTS = [
  ...['certificate_type', 'age_grading', 'childrens_product', 'toy_standard', 'small_batch', 'manufacturer'],
  ...['testing_lab', 'certifier', 'records_contact', 'cpsc_rules_cited', 'language'],
];

const profile = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(100),
  fields: z.record(z.string(), z.unknown()),
});

/** Named set of fields that several certificates share, such as the product type, certifier, laboratory, and rules. */
export type CertificateProfile = z.infer<typeof profile>;

/** Returns a shop's profiles, sorted by name. */
export const profilesOf = (record: ShopRecord | null): readonly CertificateProfile[] =>
  z.array(profile).safeParse(record?.settings[SETTING]).data ?? [];

/** Result of saving a profile: the profile's ID, or the reason that it wasn't saved. */
export type SavedProfile = { readonly id: string } | { readonly fault: 'name' | 'fields' | 'too_many_profiles' };

/**
 * Creates a profile, or replaces the profile with the given ID.
 *
 * @param text untrusted fields as JSON. Product-specific fields are ignored.
 * @example await saveProfile(shop, { id: '', name: 'Toys', fields: '{"certifier":{"name":"Acme"}}' });
 */
export async function saveProfile(
  shop: Shop,
  { id, name, fields: text }: { readonly id: string; readonly name: string; readonly fields: string },
): Promise<SavedProfile> {
  const read = readFields(text);
  if (!read) return { fault: 'fields' };
  const others = profilesOf(await shop.record()).filter(one => one.id !== id);
  if (others.length >= MAX_PROFILES) return { fault: 'too_many_profiles' };
  const made = profile.safeParse({ id: id || randomUUID(), name, fields: partsOf(read) });
  if (!made.success) return { fault: 'name' };
  const profiles = [...others, made.data].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  await shop.setSettings({ [SETTING]: profiles });
  return { id: made.data.id };
}

/** Deletes a profile. Drafts that were created from the profile don't change. */
export async function deleteProfile(shop: Shop, id: string): Promise<void> {
  const kept = profilesOf(await shop.record()).filter(one => one.id !== id);
  await shop.setSettings({ [SETTING]: kept });
}

const partsOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([part]) => PARTS.includes(part)));
