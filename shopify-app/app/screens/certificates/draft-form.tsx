import { Banner, BlockStack, Button, Text } from '@shopify/polaris';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Issued, Signature } from '../../../src/certificates/issue.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import type { Saved } from '../../../src/certificates/write.ts';
import { DownloadButton } from '../../document/download-button.tsx';
import { BetweenCards } from '../between-cards.tsx';
import { CheckList } from './check-list.tsx';
import type { FieldContext } from './field.tsx';
import { GROUPS, LISTS, valueAt, withValue } from './fields.ts';
import { Group, GroupList, Section } from './groups.tsx';
import { IssueForm } from './issue-form.tsx';
import { RulePicker } from './rule-picker.tsx';

/** How long the fingers must rest before what they typed is saved, in milliseconds. */
const REST_MS = 800;

/** What the form needs besides the product. */
export interface DraftFormProps {
  readonly view: ProductView;
  readonly draft: NonNullable<ProductView['draft']>;
  readonly choices: readonly RuleChoice[];
  /** What the last save gave; null before the first. */
  readonly saved: Saved | null;
  readonly saving: boolean;
  readonly issued: Issued | null;
  readonly issuing: boolean;
  readonly onSearch: (text: string) => void;
  readonly onSave: (fields: string) => void;
  readonly onDiscard: () => void;
  readonly onIssue: (fields: string, signature: Signature) => void;
}

/** A certificate as it is written. It saves itself, and each time says how it stands. */
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
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [fields, unsaved, onSave]);

  // What was saved last is loaded again with the page.
  const { check } = draft;
  const lost = typeof saved === 'string' ? saved : null;
  // It stays the same, so that what did not change is not drawn again.
  const set = useCallback((path: string, value: unknown) => {
    setFields(before => withValue(before, path, value));
    setUnsaved(true);
  }, []);
  const context: FieldContext = { fields, issues: check.issues, strict, set };
  const group = (name: keyof typeof GROUPS) => (
    <Section name={name}>
      <Group group={GROUPS[name]} path={name} context={context} />
    </Section>
  );
  return (
    <BlockStack gap="400">
      {lost && <Banner tone="critical" title={t(`certificates.save.${lost}`)} />}
      {draft.fromEarlier && <Banner title={t('certificates.fromEarlier')} />}
      {group('product_info')}
      {group('manufacturer')}
      <RulePicker context={context} choices={choices} onSearch={onSearch} />
      {group('testing_lab')}
      <GroupList
        group={LISTS.tests}
        fresh={{ test_date: valueAt(fields, 'testing_lab.test_date') ?? '', lab_index: 0 }}
        context={context}
      />
      <GroupList group={LISTS.exclusions} fresh={{}} context={context} />
      <GroupList group={LISTS.other_labs} fresh={{}} context={context} />
      {group('certifier')}
      {group('records_contact')}
      {group('efiling')}
      <CheckList
        check={check}
        saved={t(
          unsaved || saving
            ? 'certificates.save.saving'
            : lost
              ? `certificates.save.${lost}`
              : 'certificates.save.saved',
        )}
      />
      <BetweenCards>
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
      </BetweenCards>
      <IssueForm
        attestation={view.attestation}
        canIssue={view.canIssue}
        replaces={view.current?.status === 'valid'}
        incomplete={(check.missing?.length ?? 0) > 0}
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
