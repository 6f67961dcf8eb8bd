import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Voided } from '../../../src/certificates/issue.ts';
import { BlockStack, Button, Card, Text, TextField } from '../../ui/kit/components.ts';
import { useFinalForm } from '../../ui/save-bar.tsx';

/**
 * Asks for a reason and voids a certificate. The form is collapsed and shows a warning, because voiding can't be
 * undone.
 */
export function VoidForm({
  outcome,
  busy,
  onVoid,
}: {
  readonly outcome: Voided | null;
  readonly busy: boolean;
  readonly onVoid: (reason: string) => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const action = useFinalForm(reason !== '' && !busy, () => setReason(''));
  const fault = outcome && 'faults' in outcome ? outcome.faults.reason : null;
  return (
    <Card>
      <details>
        <summary style={{ cursor: 'pointer', paddingBlockEnd: 'var(--p-space-200)' }}>
          <Text as="span" variant="headingMd">
            {t('certificates.void.title')}
          </Text>
        </summary>
        <BlockStack gap="300">
          <Text as="p">{t('certificates.void.text')}</Text>
          <TextField
            label={t('certificates.void.reason')}
            value={reason}
            onChange={setReason}
            multiline={2}
            error={fault ? t(`certificates.void.faults.${fault}`) : undefined}
            autoComplete="off"
          />
          <div ref={action}>
            <Button tone="critical" loading={busy} onClick={() => onVoid(reason)}>
              {t('certificates.void.submit')}
            </Button>
          </div>
        </BlockStack>
      </details>
    </Card>
  );
}
