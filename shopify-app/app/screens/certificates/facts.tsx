import { BlockStack, Button, Card, InlineStack, Link, List, Text, TextField } from '@shopify/polaris';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Voided } from '../../../src/certificates/issue.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { DownloadButton } from '../../document/download-button.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../badge.tsx';
import { missingText, warningText } from './check-list.tsx';

const TONES = { valid: 'success', void: 'critical', superseded: 'attention' } as const;

/** What a certificate that was issued says, and where it can be verified. */
export function Facts({
  current,
  timeZone,
  onBegin,
}: {
  readonly current: NonNullable<ProductView['current']>;
  readonly timeZone: string;
  /** Null while another is being written already. */
  readonly onBegin: (() => void) | null;
}) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const { id, status, issuedAt, voidReason, verificationUrl, certifier, attestedBy, rules, missing, warnings } =
    current;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {t('certificates.current.title')}
          </Text>
          <Badge tone={TONES[status]}>{t(`certificates.status.${status}`)}</Badge>
        </InlineStack>
        <BlockStack gap="100">
          <Text as="p" breakWord>
            {t('certificates.current.number', { id })}
          </Text>
          <Text as="p">{t('certificates.current.issued', { date: format.dateTime(issuedAt) })}</Text>
          {voidReason && (
            <Text as="p" breakWord>
              {t('certificates.current.void', { reason: voidReason })}
            </Text>
          )}
          {certifier && (
            <Text as="p" breakWord>
              {t('certificates.current.certifier', { name: certifier })}
            </Text>
          )}
          {attestedBy && (
            <Text as="p" breakWord>
              {t('certificates.current.attested', { name: attestedBy })}
            </Text>
          )}
          <Text as="p">{t('certificates.current.verify')}</Text>
          <Link url={verificationUrl} external>
            <span style={{ overflowWrap: 'anywhere' }}>{verificationUrl}</span>
          </Link>
        </BlockStack>
        <List>
          {rules.map(({ citation, subject }) => (
            <List.Item key={citation}>{subject ? `${citation}: ${subject}` : citation}</List.Item>
          ))}
        </List>
        {missing.length + warnings.length > 0 && (
          <details>
            <summary style={{ cursor: 'pointer', paddingBlockEnd: 'var(--p-space-200)' }}>
              {t('certificates.current.gaps', { count: missing.length + warnings.length })}
            </summary>
            <List>
              {missing.map(({ path, element }) => (
                <List.Item key={path}>{`${missingText(t, path)} (${element})`}</List.Item>
              ))}
              {warnings.map(warning => (
                <List.Item key={`${warning.code} ${warning.path}`}>{warningText(t, warning)}</List.Item>
              ))}
            </List>
          </details>
        )}
        <InlineStack gap="300">
          <DownloadButton url={`/app/certificates-pdf/${id}`} name={`GCC-${id}.pdf`}>
            {t('certificates.current.download')}
          </DownloadButton>
          {onBegin && (
            <Button onClick={onBegin}>
              {t(status === 'valid' ? 'certificates.reissue' : 'certificates.beginAgain')}
            </Button>
          )}
        </InlineStack>
      </BlockStack>
    </Card>
  );
}

/** Ends a certificate for a reason. It cannot be taken back, so it is behind a fold and says so. */
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
          <InlineStack>
            <Button tone="critical" loading={busy} onClick={() => onVoid(reason)}>
              {t('certificates.void.submit')}
            </Button>
          </InlineStack>
        </BlockStack>
      </details>
    </Card>
  );
}
