import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SaveCodeResult } from '../../../src/catalog/save/save-from-form.ts';
import type { VariantView } from '../../../src/catalog/variant.ts';
import { CountryPicker } from '../../ui/country-picker/country-picker.tsx';
import { Banner, BlockStack, Button, Card, FormLayout, Text, TextField } from '../../ui/kit/components.ts';
import { useSaveBar } from '../../ui/save-bar.tsx';
import { Candidates } from './candidates.tsx';

/** Submitted fields: the values shown to the merchant and the new values. */
interface EditFields {
  readonly expectedHtsCode: string;
  readonly expectedOrigin: string;
  readonly wantedHtsCode: string;
  readonly wantedOrigin: string;
}

/** State and callback for the edit form. */
export interface EditFormProps {
  readonly result: SaveCodeResult | { readonly declined: boolean } | null;
  readonly busy: boolean;
  readonly onSave: (fields: EditFields) => void;
}

/**
 * Shows a form for editing a variant's HTS code and country of origin in Shopify. Each error appears next to its field.
 */
export function EditForm({
  htsCode,
  printed,
  origin,
  codeFor,
  digits,
  candidates,
  result,
  busy,
  onSave,
}: EditFormProps & Pick<VariantView, 'htsCode' | 'printed' | 'origin' | 'codeFor' | 'digits' | 'candidates'>) {
  const { t } = useTranslation();
  const [code, setCode] = useState(printed ?? htsCode ?? '');
  const [country, setCountry] = useState(origin ?? '');
  const saved = { code: printed ?? htsCode ?? '', country: origin ?? '' };
  const isDirty = digitsOf(code) !== digitsOf(saved.code) || country !== saved.country;
  const save = () =>
    onSave({
      ...{ expectedHtsCode: htsCode ?? '', expectedOrigin: origin ?? '' },
      ...{ wantedHtsCode: code, wantedOrigin: country },
    });
  useSaveBar(isDirty, {
    onSave: save,
    onDiscard: () => {
      setCode(saved.code);
      setCountry(saved.country);
    },
  });
  const fault = result && 'fault' in result ? result.fault : null;
  const message = fault ? `${t(`catalog.edit.faults.${fault.code}`)} ${fault.message ?? ''}`.trim() : undefined;
  const general =
    result && 'failed' in result
      ? t(`catalog.edit.failed.${result.failed}`)
      : result && 'declined' in result
        ? t('catalog.edit.declined')
        : fault?.field === null
          ? message
          : null;
  return (
    <Card>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          save();
        }}
      >
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t('catalog.edit.title')}
          </Text>
          <div aria-live="polite">{general && <Banner tone="critical" title={general} />}</div>
          <FormLayout>
            <TextField
              label={t('catalog.edit.code')}
              helpText={t(codeFor === 'US' ? 'catalog.edit.codeUs' : 'catalog.edit.codeAny')}
              value={code}
              onChange={setCode}
              maxLength={20}
              autoComplete="off"
              error={fault?.field === 'htsCode' ? message : undefined}
            />
            {candidates && (
              <Candidates candidates={candidates} code={digits === 'short' ? printed : null} onChoose={setCode} />
            )}
            {digits !== 'full' && !candidates && (
              <Text as="p" tone="subdued">
                {t('catalog.candidates.notLoaded')}
              </Text>
            )}
            <CountryPicker
              label={t('catalog.edit.origin')}
              value={country}
              onChange={setCountry}
              error={fault?.field === 'origin' ? message : undefined}
            />
            <Button submit loading={busy}>
              {t('catalog.edit.save')}
            </Button>
          </FormLayout>
          <Text as="p" tone="subdued">
            {t('catalog.edit.noAdvice')}
          </Text>
        </BlockStack>
      </form>
    </Card>
  );
}

const digitsOf = (code: string): string => code.replace(/[\s.]/g, '');
