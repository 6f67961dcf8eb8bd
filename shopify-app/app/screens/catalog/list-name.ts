import type { TFunction } from 'i18next';

/** Returns the name of a list. A program that an installed data set adds has no translation, so its ID is its name. */
export function listName(t: TFunction, { program, role }: { readonly program: string; readonly role: string }): string {
  const defaultValue = program.replaceAll('_', ' ');
  return t(`catalog.list.${role}`, { program: t(`catalog.program.${program}`, { defaultValue }) });
}
