import { Banner, BlockStack, Button, Card, FormLayout, Text, TextField } from '@shopify/polaris';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SaveAnswer } from '../../../src/catalog/save/save-from-form.ts';
import type { VariantView } from '../../../src/catalog/variant.ts';

/** The fields as they are sent: what the merchant saw, and what they want. */
interface EditFields {
  readonly expectedHtsCode: string;
  readonly expectedOrigin: string;
  readonly wantedHtsCode: string;
  readonly wantedOrigin: string;
}

/** What the form needs. */
export interface EditFormProps {
  readonly answer: SaveAnswer | { readonly declined: boolean } | null;
  readonly busy: boolean;
  readonly onSave: (fields: EditFields) => void;
}

/** Code and country of origin, to be written to Shopify on a click. What is wrong stands at its field. */
export function EditForm({
  htsCode,
  printed,
  origin,
  codeFor,
  answer,
  busy,
  onSave,
}: EditFormProps & Pick<VariantView, 'htsCode' | 'printed' | 'origin' | 'codeFor'>) {
  const { t } = useTranslation();
  const [code, setCode] = useState(printed ?? htsCode ?? '');
  const [country, setCountry] = useState(origin ?? '');
  const fault = answer && 'fault' in answer ? answer.fault : null;
  const said = fault ? `${t(`catalog.edit.faults.${fault.code}`)} ${fault.message ?? ''}`.trim() : undefined;
  const general =
    answer && 'failed' in answer
      ? t(`catalog.edit.failed.${answer.failed}`)
      : answer && 'declined' in answer
        ? t('catalog.edit.declined')
        : fault?.field === null
          ? said
          : null;
  return (
    <Card>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          onSave({
            ...{ expectedHtsCode: htsCode ?? '', expectedOrigin: origin ?? '' },
            ...{ wantedHtsCode: code, wantedOrigin: country },
          });
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
              error={fault?.field === 'htsCode' ? said : undefined}
            />
            <TextField
              label={t('catalog.edit.origin')}
              helpText={t('catalog.edit.originHelp')}
              value={country}
              onChange={setCountry}
              maxLength={2}
              autoComplete="off"
              error={fault?.field === 'origin' ? said : undefined}
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
