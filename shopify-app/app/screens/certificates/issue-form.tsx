import type { InitialStatus } from '@compliance/core/entry';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Issued, Signature } from '../../../src/certificates/issue.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import {
  Banner,
  BlockStack,
  Button,
  Card,
  Checkbox,
  FormLayout,
  Link,
  Text,
  TextField,
} from '../../ui/kit/components.ts';
import { useFinalForm } from '../../ui/save-bar.tsx';

/** State and callback for the issue form. */
export interface IssueFormProps extends Pick<ProductView, 'attestation' | 'canIssue'> {
  readonly replaces: boolean;
  /** Status that the certificate would have if it were issued now, or null if it can't be issued yet. */
  readonly status: InitialStatus | null;
  readonly outcome: Issued | null;
  readonly busy: boolean;
  /** Whether a file is being attached or removed. If so, the certificate can't be issued yet. */
  readonly isWaiting: boolean;
  readonly onIssue: (signature: Signature) => void;
}

/**
 * Shows the attestation in the regulation's wording, the certifier's signature fields, and the button that issues the
 * certificate.
 */
export function IssueForm({
  attestation,
  canIssue,
  replaces,
  status,
  outcome,
  busy,
  isWaiting,
  onIssue,
}: IssueFormProps) {
  const { t } = useTranslation();
  const lacks = status === 'complete' ? null : status;
  const [agreed, setAgreed] = useState(false);
  const [name, setName] = useState('');
  const [title, setTitle] = useState('');
  const action = useFinalForm((agreed || name !== '' || title !== '') && !busy, () => {
    setAgreed(false);
    setName('');
    setTitle('');
  });
  const faults = outcome && 'faults' in outcome ? outcome.faults : {};
  const fault = (field: string) => faults[field] && t(`certificates.sign.faults.${faults[field]}`);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.sign.title')}
        </Text>
        {!canIssue && <Banner tone="warning" title={t('certificates.sign.notSetUp')} />}
        {outcome && 'refused' in outcome && (
          <Banner tone="critical" title={t(`certificates.sign.refused.${outcome.refused}`)} />
        )}
        <Text as="p">{t('certificates.sign.final')}</Text>
        {replaces && <Text as="p">{t(`certificates.sign.${lacks ? 'keepsCurrent' : 'replaces'}`)}</Text>}
        {lacks && <Text as="p">{t(`certificates.sign.${lacks}`)}</Text>}
        <blockquote lang="en" style={{ margin: 0, paddingInlineStart: 'var(--p-space-400)' }}>
          {attestation.sentences.map(sentence => (
            <Text as="p" key={sentence}>
              {sentence}
            </Text>
          ))}
          <Link url={attestation.url} external>
            {attestation.citation}
          </Link>
        </blockquote>
        <FormLayout>
          <Checkbox
            label={t('certificates.sign.agree')}
            checked={agreed}
            onChange={setAgreed}
            error={fault('agreed')}
          />
          <TextField
            label={t('certificates.sign.name')}
            value={name}
            onChange={setName}
            error={fault('name')}
            autoComplete="off"
          />
          <TextField
            label={t('certificates.sign.position')}
            value={title}
            onChange={setTitle}
            error={fault('title')}
            autoComplete="off"
          />
          <div ref={action}>
            <Button
              variant="primary"
              loading={busy}
              disabled={!canIssue || isWaiting}
              onClick={() => onIssue({ agreed, name, title })}
            >
              {t('certificates.sign.issue')}
            </Button>
          </div>
        </FormLayout>
      </BlockStack>
    </Card>
  );
}
