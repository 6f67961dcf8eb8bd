import type { TFunction } from 'i18next';

/**
 * Returns a list's name. A program added by an installed data set has no translation, so the app shows the program ID
 * instead.
 */
export function listName(t: TFunction, { program, role }: { readonly program: string; readonly role: string }): string {
  const defaultValue = program.replaceAll('_', ' ');
  return t(`catalog.list.${role}`, { program: t(`catalog.program.${program}`, { defaultValue }) });
}
