import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../src/certificates/draft.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { CountryPicker } from '../../ui/country-picker/country-picker.tsx';
import { ChoiceList, Select, TextField } from '../../ui/kit/components.ts';
import { type AgeUnit, monthsOf, unitOf, yearsOf } from './age.ts';
import { CHOICES, DEFAULT_CHOICES, type FieldKind, kindOf, leafOf, listAt, valueAt } from './fields.ts';

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
  switch (kind) {
    case 'choice':
    case 'boolean':
    case 'rule':
    case 'lab':
      return <Choice path={path} kind={kind} fault={fault} fields={fields} set={set} />;
    case 'choices':
      return <Choices path={path} fault={fault} chosen={listAt(fields, path)} set={set} />;
    case 'country':
      return <Country path={path} fault={fault} text={textOf(value)} set={set} />;
    case 'months':
      return <Age path={path} fault={fault} months={value} set={set} />;
    default:
      return <Line path={path} kind={kind} fault={fault} text={textOf(value)} set={set} />;
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
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

interface ControlProps extends Pick<FieldContext, 'set'> {
  readonly path: string;
  readonly fault: string | null;
}

// Memoized, because the form has about 70 fields and each keystroke changes only one field.
const Line = memo(function Line({
  path,
  kind,
  fault,
  text,
  set,
}: ControlProps & { readonly kind: FieldKind; readonly text: string }) {
  const toValue = (typed: string) => {
    if (kind === 'lines') return typed.split('\n');
    return kind === 'number' && /^\d{1,9}$/.test(typed) ? Number(typed) : typed;
  };
  return (
    <TextField
      {...useFieldTexts(path, fault)}
      value={text}
      onChange={typed => set(path, toValue(typed))}
      type={kind === 'date' || kind === 'email' ? kind : 'text'}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      multiline={kind === 'long' || kind === 'lines' ? 2 : false}
      maxHeight="16rem"
      autoComplete="off"
    />
  );
});

// Memoized for the same reason as `Line`.
const Country = memo(function Country({ path, fault, text, set }: ControlProps & { readonly text: string }) {
  return <CountryPicker {...useFieldTexts(path, fault)} value={text} onChange={code => set(path, code)} />;
});

/** Renders an age field with a choice of months or years. */
const Age = memo(function Age({ path, fault, months, set }: ControlProps & { readonly months: unknown }) {
  const { t } = useTranslation();
  const texts = useFieldTexts(path, fault);
  const isUpper = leafOf(path) === 'to_months';
  const [chosen, setChosen] = useState<AgeUnit>(() => unitOf(months, isUpper));
  const years = typeof months === 'number' ? yearsOf(months, isUpper) : null;
  // Discarding changes can restore an age that isn't a whole number of years.
  const unit = chosen === 'years' && typeof months === 'number' && years === null ? 'months' : chosen;
  const text = unit === 'years' && years !== null ? `${years}` : textOf(months);
  return (
    <TextField
      {...texts}
      value={text}
      onChange={typed => set(path, monthsOf(typed, unit, isUpper))}
      inputMode="numeric"
      autoComplete="off"
      connectedRight={
        <Select
          label={t('certificates.age.unit', { field: texts.label })}
          labelHidden
          options={(['years', 'months'] as const).map(one => ({ value: one, label: t(`certificates.age.${one}`) }))}
          value={unit}
          onChange={next => {
            setChosen(next as AgeUnit);
            if (text !== '') set(path, monthsOf(text, next as AgeUnit, isUpper));
          }}
        />
      }
    />
  );
});

/** Renders a field that accepts several values from a fixed set. */
function Choices({ path, fault, chosen, set }: ControlProps & { readonly chosen: readonly unknown[] }) {
  const { t } = useTranslation();
  const { label, error } = useFieldTexts(path, fault);
  return (
    <div id={path} tabIndex={-1}>
      <ChoiceList
        allowMultiple
        title={label}
        error={error}
        choices={(CHOICES[leafOf(path)] ?? []).map(value => ({ value, label: t(`certificates.choice.${value}`) }))}
        selected={chosen.map(String)}
        onChange={selected => set(path, selected)}
      />
    </div>
  );
}

function Choice({
  path,
  kind,
  fault,
  fields,
  set,
}: ControlProps & Pick<FieldContext, 'fields'> & { readonly kind: 'choice' | 'boolean' | 'rule' | 'lab' }) {
  const { t } = useTranslation();
  const texts = useFieldTexts(path, fault);
  const leaf = leafOf(path);
  const value = valueAt(fields, path) ?? DEFAULT_CHOICES[leaf];
  const choices = {
    choice: () => (CHOICES[leaf] ?? []).map(one => ({ value: one, label: t(`certificates.choice.${one}`) })),
    boolean: () => ['true', 'false'].map(one => ({ value: one, label: t(`certificates.choice.${one}`) })),
    rule: () => listAt(fields, 'cpsc_rules_cited').map(one => ({ value: String(one), label: String(one) })),
    lab: () =>
      [valueAt(fields, 'testing_lab.name'), ...listAt(fields, 'other_labs').map(lab => valueAt(lab, 'name'))].map(
        (lab, index) => ({
          value: String(index),
          label: String(lab || t('certificates.labNumber', { number: index + 1 })),
        }),
      ),
  }[kind]();
  const toValue = (chosen: string) => {
    if (chosen === '') return '';
    if (kind === 'boolean') return chosen === 'true';
    return kind === 'lab' ? Number(chosen) : chosen;
  };
  const unset = { value: '', label: t(`certificates.unset.${leaf}`, { defaultValue: t('certificates.choose') }) };
  return (
    <Select
      {...texts}
      options={leaf in DEFAULT_CHOICES ? choices : [unset, ...choices]}
      value={value === undefined ? '' : String(value)}
      onChange={chosen => set(path, toValue(chosen))}
    />
  );
}
