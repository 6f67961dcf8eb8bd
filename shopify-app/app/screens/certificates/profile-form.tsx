import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateProfile, SavedProfile } from '../../../src/certificates/profiles.ts';
import { BlockStack, Button, Card, InlineStack, Text, TextField } from '../../ui/kit/components.ts';
import { useSaveBar } from '../../ui/save-bar.tsx';
import { FormField } from './field.tsx';
import { FormGroup, FormSection } from './field-groups.tsx';
import { GROUPS, listAt, withValue } from './fields.ts';
import { ChildrensProduct, ProductType } from './product-type.tsx';

/** Field groups for a profile's parties, in form order. */
const PARTS = ['certifier', 'manufacturer', 'testing_lab', 'records_contact'] as const;

const RULES = 'cpsc_rules_cited';

/** Profile to edit, and callbacks. */
export interface ProfileFormProps {
  /** Null for a new profile. */
  readonly profile: CertificateProfile | null;
  readonly saved: SavedProfile | null;
  readonly saving: boolean;
  readonly onSave: (profile: { readonly id: string; readonly name: string; readonly fields: string }) => void;
  readonly onClose: () => void;
}

/**
 * Shows a form for a profile's name, rules, product type, certifier, manufacturer, laboratory, records custodian, and
 * second language.
 */
export function ProfileForm({ profile, saved, saving, onSave, onClose }: ProfileFormProps) {
  const { t } = useTranslation();
  const initial = { name: profile?.name ?? '', fields: profile?.fields ?? {} };
  const [name, setName] = useState(initial.name);
  const [fields, setFields] = useState(initial.fields);
  const [isDirty, setDirty] = useState(false);
  const set = useCallback((path: string, value: unknown) => {
    setFields(previous => withValue(previous, path, value));
    setDirty(true);
  }, []);
  const save = () => onSave({ id: profile?.id ?? '', name, fields: JSON.stringify(fields) });
  useSaveBar(isDirty, {
    onSave: save,
    onDiscard: () => {
      setName(initial.name);
      setFields(initial.fields);
      setDirty(false);
    },
  });
  const close = async () => {
    if (isDirty) await shopify.saveBar.leaveConfirmation();
    onClose();
  };
  const fault = saved && 'fault' in saved ? saved.fault : null;
  const context = { fields, issues: [], strict: false, set };
  return (
    <BlockStack gap="400">
      <Card>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {profile ? t('certificates.profiles.edit', { name: profile.name }) : t('certificates.profiles.add')}
          </Text>
          <TextField
            label={t('certificates.profiles.name')}
            value={name}
            maxLength={100}
            onChange={typed => {
              setName(typed);
              setDirty(true);
            }}
            error={fault ? t(`certificates.profiles.faults.${fault}`) : undefined}
            autoComplete="off"
          />
          <TextField
            label={t('certificates.section.cpsc_rules_cited')}
            helpText={t('certificates.profiles.rulesHelp')}
            value={listAt(fields, RULES).map(String).join('\n')}
            onChange={typed => set(RULES, typed.split('\n'))}
            multiline={2}
            autoComplete="off"
          />
        </BlockStack>
      </Card>
      <ProductType context={context} />
      <ChildrensProduct context={context} />
      {PARTS.map(part => (
        <FormSection key={part} name={part}>
          <FormGroup group={GROUPS[part]} path={part} context={context} />
        </FormSection>
      ))}
      <FormSection name="second_language">
        <FormField path="language" context={context} />
      </FormSection>
      <InlineStack gap="300">
        <Button variant="primary" loading={saving} onClick={save}>
          {t('certificates.profiles.save')}
        </Button>
        <Button onClick={close}>{t('certificates.profiles.close')}</Button>
      </InlineStack>
    </BlockStack>
  );
}
