import { Select, TextField } from '@shopify/polaris';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { CHOICES, kindOf, leafOf, listAt, valueAt } from './fields.ts';

/** What every field of the form is made from. */
export interface FieldContext {
  readonly fields: Draft['fields'];
  readonly issues: NonNullable<ProductView['draft']>['check']['issues'];
  /** Whether what is missing is named at its field: only once the merchant wants to issue. */
  readonly strict: boolean;
  readonly set: (path: string, value: unknown) => void;
}

/** One field of a certificate, with what is wrong with it. */
export function Field({ path, context }: { readonly path: string; readonly context: FieldContext }) {
  const { t } = useTranslation();
  const { fields, issues, strict, set } = context;
  const name = leafOf(path);
  const kind = kindOf(name);
  const value = valueAt(fields, path);
  const issue = issues.find(one => one.path === path || one.path.startsWith(`${path}.`));
  const error = issue && (strict || issue.code !== 'REQUIRED') ? t(`certificates.fault.${issue.code}`) : undefined;
  const common = { id: path, label: t(`certificates.field.${name}`), error };
  const help = t(`certificates.help.${name}`, { defaultValue: '' }) || undefined;

  if (kind === 'choice' || kind === 'rule' || kind === 'lab') {
    const values = {
      choice: () => (CHOICES[name] ?? []).map(one => ({ value: one, label: t(`certificates.choice.${one}`) })),
      rule: () => listAt(fields, 'cpsc_rules_cited').map(one => ({ value: String(one), label: String(one) })),
      lab: () =>
        [valueAt(fields, 'testing_lab.name'), ...listAt(fields, 'other_labs').map(lab => valueAt(lab, 'name'))].map(
          (lab, index) => ({
            value: String(index),
            label: String(lab || t('certificates.labNumber', { number: index + 1 })),
          }),
        ),
    }[kind]();
    return (
      <Select
        {...common}
        helpText={help}
        options={[{ value: '', label: t('certificates.choose') }, ...values]}
        value={value === undefined ? '' : String(value)}
        onChange={chosen => set(path, kind === 'lab' && chosen !== '' ? Number(chosen) : chosen)}
      />
    );
  }
  const text = Array.isArray(value) ? value.map(String).join('\n') : typeof value === 'string' ? value : '';
  return (
    <TextField
      {...common}
      helpText={help}
      value={text}
      onChange={typed => set(path, kind === 'lines' ? typed.split('\n') : typed)}
      type={kind === 'date' || kind === 'email' ? kind : 'text'}
      multiline={kind === 'long' || kind === 'lines' ? 2 : false}
      maxHeight="16rem"
      autoComplete="off"
    />
  );
}
