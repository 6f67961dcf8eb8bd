import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { Select, TextField } from '../../ui/kit/components.ts';
import { CHOICES, type FieldKind, kindOf, leafOf, listAt, valueAt } from './fields.ts';

/** Data shared by all form fields. */
export interface FieldContext {
  readonly fields: Draft['fields'];
  readonly issues: NonNullable<ProductView['draft']>['check']['issues'];
  /** Whether empty required fields show an error. True after the merchant's first attempt to issue the certificate. */
  readonly strict: boolean;
  readonly set: (path: string, value: unknown) => void;
}

/** Renders a certificate field with its error. */
export function FormField({ path, context }: { readonly path: string; readonly context: FieldContext }) {
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

/** Returns a field's label, help text, and error. */
function useFieldTexts(path: string, fault: string | null) {
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

// Memoized, because the form has about 70 fields and each keystroke changes only one field.
const Line = memo(function Line({ path, kind, fault, text, set }: ControlProps<FieldKind> & { readonly text: string }) {
  return (
    <TextField
      {...useFieldTexts(path, fault)}
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
  const texts = useFieldTexts(path, fault);
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
      {...texts}
      options={[{ value: '', label: t('certificates.choose') }, ...choices]}
      value={value === undefined ? '' : String(value)}
      onChange={chosen => set(path, kind === 'lab' && chosen !== '' ? Number(chosen) : chosen)}
    />
  );
}
