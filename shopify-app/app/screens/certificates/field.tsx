import { Select, TextField } from '@shopify/polaris';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { CHOICES, type FieldKind, kindOf, leafOf, listAt, valueAt } from './fields.ts';

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
  const { fields, issues, strict, set } = context;
  const kind = kindOf(leafOf(path));
  const value = valueAt(fields, path);
  const issue = issues.find(one => one.path === path || one.path.startsWith(`${path}.`));
  const fault = issue && (strict || issue.code !== 'REQUIRED') ? issue.code : null;
  if (kind === 'choice' || kind === 'rule' || kind === 'lab')
    return <Choice path={path} kind={kind} fault={fault} fields={fields} set={set} />;
  const text = Array.isArray(value) ? value.map(String).join('\n') : typeof value === 'string' ? value : '';
  return <Line path={path} kind={kind} fault={fault} text={text} set={set} />;
}

/** What is said at a field. */
function useWords(path: string, fault: string | null) {
  const { t } = useTranslation();
  const name = leafOf(path);
  return {
    id: path,
    label: t(`certificates.field.${name}`),
    helpText: t(`certificates.help.${name}`, { defaultValue: '' }) || undefined,
    error: fault === null ? undefined : t(`certificates.fault.${fault}`),
  };
}

interface ControlProps<Kind extends FieldKind> extends Pick<FieldContext, 'set'> {
  readonly path: string;
  readonly kind: Kind;
  readonly fault: string | null;
}

// There are seventy of them, and each letter changes one.
const Line = memo(function Line({ path, kind, fault, text, set }: ControlProps<FieldKind> & { readonly text: string }) {
  return (
    <TextField
      {...useWords(path, fault)}
      value={text}
      onChange={typed => set(path, kind === 'lines' ? typed.split('\n') : typed)}
      type={kind === 'date' || kind === 'email' ? kind : 'text'}
      multiline={kind === 'long' || kind === 'lines' ? 2 : false}
      maxHeight="16rem"
      autoComplete="off"
    />
  );
});

function Choice({
  path,
  kind,
  fault,
  fields,
  set,
}: ControlProps<'choice' | 'rule' | 'lab'> & Pick<FieldContext, 'fields'>) {
  const { t } = useTranslation();
  const words = useWords(path, fault);
  const value = valueAt(fields, path);
  const choices = {
    choice: () => (CHOICES[leafOf(path)] ?? []).map(one => ({ value: one, label: t(`certificates.choice.${one}`) })),
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
      {...words}
      options={[{ value: '', label: t('certificates.choose') }, ...choices]}
      value={value === undefined ? '' : String(value)}
      onChange={chosen => set(path, kind === 'lab' && chosen !== '' ? Number(chosen) : chosen)}
    />
  );
}
