import type { CertificateKind } from '@compliance/core/entry';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Saved } from '../../../src/certificates/drafts.ts';
import type { Issued, Signature } from '../../../src/certificates/issue.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Banner, BlockStack, Button, Text } from '../../ui/kit/components.ts';
import { useUnloadPrompt } from '../../ui/save-bar.tsx';
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts';
import { type AttachmentSource, Attachments } from './attachments.tsx';
import { DraftStatus } from './draft-status.tsx';
import { type FieldContext, FormField } from './field.tsx';
import { FormGroup, FormSection, GroupList } from './field-groups.tsx';
import { GROUPS, kindOfFields, LISTS, listAt, valueAt, withValue } from './fields.ts';
import { IssueForm } from './issue-form.tsx';
import { ChildrensProduct, ProductType } from './product-type.tsx';
import { RulePicker } from './rule-picker.tsx';
import { VariantPicker, type VariantSource } from './variant-picker.tsx';

/** Delay, in milliseconds, between the last keystroke and the automatic save. */
const SAVE_DELAY_MS = 800;

/** Draft, save state, and callbacks for the draft form. */
export interface DraftFormProps {
  readonly view: ProductView;
  readonly draft: NonNullable<ProductView['draft']>;
  readonly choices: readonly RuleChoice[];
  readonly variants: VariantSource;
  readonly attachments: AttachmentSource;
  /** Result of the most recent save, or null before the first save. */
  readonly saved: Saved | null;
  readonly saving: boolean;
  readonly issued: Issued | null;
  readonly issuing: boolean;
  /** Whether the page is hydrated. Until then, the form contains only the fields that are initially visible. */
  readonly isHydrated: boolean;
  readonly onSearch: (text: string, kind: CertificateKind) => void;
  readonly onSave: (fields: string, options?: { readonly flushSync: boolean }) => void;
  readonly onDiscard: () => void;
  readonly onIssue: (fields: string, signature: Signature) => void;
}

/**
 * Shows a form for editing a certificate draft. The form saves changes automatically and updates the draft status after
 * each save.
 */
export function DraftForm(props: DraftFormProps) {
  const {
    view,
    draft,
    choices,
    variants,
    attachments,
    saved,
    saving,
    issued,
    issuing,
    isHydrated,
    onSearch,
    onSave,
    onDiscard,
    onIssue,
  } = props;
  const { t } = useTranslation();
  const [fields, setFields] = useState(draft.fields);
  const [unsaved, setUnsaved] = useState(false);
  const [strict, setStrict] = useState(false);
  useEffect(() => {
    if (!unsaved) return;
    const timer = setTimeout(() => {
      setUnsaved(false);
      // With `flushSync`, `saving` is set in the render that clears `unsaved`, so the browser warns without a gap
      // before the page closes.
      onSave(JSON.stringify(fields), { flushSync: true });
    }, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [fields, unsaved, onSave]);

  useUnloadPrompt(unsaved || saving);
  // Saves the last changes if the merchant leaves the page before the delay has passed.
  const pending = useRef<string | null>(null);
  pending.current = unsaved ? JSON.stringify(fields) : null;
  const save = useRef(onSave);
  save.current = onSave;
  useBrowserLayoutEffect(
    () => () => {
      if (pending.current !== null) save.current(pending.current);
    },
    [],
  );

  // The page data, including the draft check, is reloaded after each save.
  const { check } = draft;
  const saveError = typeof saved === 'string' ? saved : null;
  // The callback reference is stable so that unchanged fields don't re-render.
  const set = useCallback((path: string, value: unknown) => {
    setFields(previous => withValue(previous, path, value));
    setUnsaved(true);
  }, []);
  const context: FieldContext = { fields, issues: check.issues, strict, set };
  const kind = kindOfFields(fields);
  const initialTest = { test_date: valueAt(fields, 'testing_lab.test_date') ?? '', lab_index: 0 };
  const tested = new Set(listAt(fields, 'tests').map(test => valueAt(test, 'rule')));
  const untested = listAt(fields, 'cpsc_rules_cited').filter(rule => !tested.has(rule));
  const group = (name: keyof typeof GROUPS) => (
    <FormSection name={name}>
      <FormGroup group={GROUPS[name]} path={name} context={context} />
    </FormSection>
  );
  return (
    <BlockStack gap="400">
      {saveError && <Banner tone="critical" title={t(`certificates.save.${saveError}`)} />}
      {draft.fromEarlier && <Banner title={t('certificates.fromEarlier')} />}
      <ProductType context={context} />
      {group('product_info')}
      {isHydrated && (
        <>
          <VariantPicker product={view.product} source={variants} context={context} />
          <ChildrensProduct context={context} />
          {group('manufacturer')}
          <RulePicker context={context} choices={choices} expected={check.expectedRules ?? []} onSearch={onSearch} />
          {group('testing_lab')}
          <GroupList
            group={LISTS.tests}
            initial={initialTest}
            several={{
              label: t('certificates.add.testsForRules', { count: untested.length }),
              entries: untested.map(rule => ({ ...initialTest, rule })),
            }}
            context={context}
          />
          <GroupList group={LISTS.exclusions} initial={{}} context={context} />
          <GroupList group={LISTS.other_labs} initial={{}} context={context} />
          {group('certifier')}
          {group('records_contact')}
          {kind === 'CPC' && group('tracking_label')}
          <FormSection name="second_language">
            <FormField path="language" context={context} />
          </FormSection>
          {group('efiling')}
          <Attachments product={view.product} draft={draft} source={attachments} />
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
            status={check.status}
            outcome={issued}
            busy={issuing}
            isWaiting={attachments.state !== 'idle'}
            onIssue={signature => {
              setStrict(true);
              setUnsaved(false);
              onIssue(JSON.stringify(fields), signature);
            }}
          />
        </>
      )}
    </BlockStack>
  );
}
