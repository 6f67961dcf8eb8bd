import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Saved } from '../../../src/certificates/drafts.ts';
import type { Issued, Signature } from '../../../src/certificates/issue.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Banner, BlockStack, Button, Text } from '../../ui/kit/components.ts';
import { DraftStatus } from './draft-status.tsx';
import type { FieldContext } from './field.tsx';
import { FormGroup, FormSection, GroupList } from './field-groups.tsx';
import { GROUPS, LISTS, valueAt, withValue } from './fields.ts';
import { IssueForm } from './issue-form.tsx';
import { RulePicker } from './rule-picker.tsx';

/** Delay, in milliseconds, between the last keystroke and the automatic save. */
const SAVE_DELAY_MS = 800;

/** Draft, save state, and callbacks for the draft form. */
export interface DraftFormProps {
  readonly view: ProductView;
  readonly draft: NonNullable<ProductView['draft']>;
  readonly choices: readonly RuleChoice[];
  /** Result of the most recent save, or null before the first save. */
  readonly saved: Saved | null;
  readonly saving: boolean;
  readonly issued: Issued | null;
  readonly issuing: boolean;
  readonly onSearch: (text: string) => void;
  readonly onSave: (fields: string) => void;
  readonly onDiscard: () => void;
  readonly onIssue: (fields: string, signature: Signature) => void;
}

/**
 * Shows a form for editing a certificate draft. The form saves changes automatically and updates the draft status after each
 * save.
 */
export function DraftForm(props: DraftFormProps) {
  const { view, draft, choices, saved, saving, issued, issuing, onSearch, onSave, onDiscard, onIssue } = props;
  const { t } = useTranslation();
  const [fields, setFields] = useState(draft.fields);
  const [unsaved, setUnsaved] = useState(false);
  const [strict, setStrict] = useState(false);
  useEffect(() => {
    if (!unsaved) return;
    const timer = setTimeout(() => {
      setUnsaved(false);
      onSave(JSON.stringify(fields));
    }, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [fields, unsaved, onSave]);

  // The page data, including the draft check, is reloaded after each save.
  const { check } = draft;
  const saveError = typeof saved === 'string' ? saved : null;
  // The callback reference is stable so that unchanged fields don't re-render.
  const set = useCallback((path: string, value: unknown) => {
    setFields(previous => withValue(previous, path, value));
    setUnsaved(true);
  }, []);
  const context: FieldContext = { fields, issues: check.issues, strict, set };
  const group = (name: keyof typeof GROUPS) => (
    <FormSection name={name}>
      <FormGroup group={GROUPS[name]} path={name} context={context} />
    </FormSection>
  );
  return (
    <BlockStack gap="400">
      {saveError && <Banner tone="critical" title={t(`certificates.save.${saveError}`)} />}
      {draft.fromEarlier && <Banner title={t('certificates.fromEarlier')} />}
      {group('product_info')}
      {group('manufacturer')}
      <RulePicker context={context} choices={choices} onSearch={onSearch} />
      {group('testing_lab')}
      <GroupList
        group={LISTS.tests}
        initial={{ test_date: valueAt(fields, 'testing_lab.test_date') ?? '', lab_index: 0 }}
        context={context}
      />
      <GroupList group={LISTS.exclusions} initial={{}} context={context} />
      <GroupList group={LISTS.other_labs} initial={{}} context={context} />
      {group('certifier')}
      {group('records_contact')}
      {group('efiling')}
      <DraftStatus
        check={check}
        saved={t(
          unsaved || saving
            ? 'certificates.save.saving'
            : saveError
              ? `certificates.save.${saveError}`
              : 'certificates.save.saved',
        )}
      />
      <InlineRow>
        {check.issues.length === 0 && !unsaved && !saving ? (
          <DownloadButton url={`/app/certificates-preview/${view.product}`} name={`DRAFT-${draft.id}.pdf`}>
            {t('certificates.preview')}
          </DownloadButton>
        ) : (
          <Text as="p" tone="subdued">
            {t('certificates.noPreview')}
          </Text>
        )}
        <Button onClick={onDiscard} tone="critical" variant="tertiary">
          {t('certificates.discard')}
        </Button>
      </InlineRow>
      <IssueForm
        attestation={view.attestation}
        canIssue={view.canIssue}
        replaces={view.current?.ended === false}
        incomplete={(check.missing?.length ?? 0) + check.contradictions.length > 0}
        outcome={issued}
        busy={issuing}
        onIssue={signature => {
          setStrict(true);
          setUnsaved(false);
          onIssue(JSON.stringify(fields), signature);
        }}
      />
    </BlockStack>
  );
}
