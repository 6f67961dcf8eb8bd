import { useTranslation } from 'react-i18next';
import type { ProductView } from '../../../src/certificates/product.ts';
import type { CertificateSignature } from '../../../src/certificates/signature.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Banner, BlockStack, Button, Card, InlineStack, Link, List, Text } from '../../ui/kit/components.ts';
import { AttachedFiles } from './attached-files.tsx';
import { CertificateBadge } from './certificate-badge.tsx';
import { contradictionText, missingText, warningText } from './draft-status.tsx';

/** Returns a signature's state, which is part of a message key. */
function signatureState({ signer, isIntact, hasTimestamp }: CertificateSignature): string {
  if (!isIntact || signer === null) return 'changed';
  return hasTimestamp ? 'withTimestamp' : 'signed';
}

/** Shows an issued certificate's status, signature, attached files, rules, missing details, and verification link. */
export function CertificateSummary({
  current,
  timeZone,
  onBegin,
}: {
  readonly current: NonNullable<ProductView['current']>;
  readonly timeZone: string;
  /** Callback that starts a replacement draft, or null if a draft already exists. */
  readonly onBegin: (() => void) | null;
}) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const {
    id,
    kind,
    status,
    ended,
    issuedAt,
    voidReason,
    verificationUrl,
    certifier,
    files,
    signature,
    attestedBy,
    rules,
    missing,
    contradictions,
    warnings,
    retests,
  } = current;
  const points = missing.length + contradictions.length + warnings.length;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {t('certificates.current.title')}
          </Text>
          <CertificateBadge status={status} />
        </InlineStack>
        {retests.length > 0 && (
          <Banner tone="warning" title={t('certificates.current.retest')}>
            <List>
              {retests.map(({ citation, due }) => (
                <List.Item key={citation}>
                  {t('certificates.current.retestRule', { rule: citation, date: format.day(due) })}
                </List.Item>
              ))}
            </List>
          </Banner>
        )}
        <BlockStack gap="100">
          <Text as="p">{t(`certificates.choice.${kind}`)}</Text>
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
          {signature && (
            <Text as="p" breakWord>
              {signature === 'unreadable'
                ? t('certificates.current.signature.unreadable')
                : t(`certificates.current.signature.${signatureState(signature)}`, {
                    ...{ name: bidiIsolate(signature.signer ?? ''), date: format.dateTime(signature.at) },
                  })}
            </Text>
          )}
          <Text as="p">{t('certificates.current.verify')}</Text>
          <Link url={verificationUrl} external>
            <span style={{ overflowWrap: 'anywhere' }}>{verificationUrl}</span>
          </Link>
        </BlockStack>
        <List>
          {rules.map(({ citation, subject }) => (
            <List.Item key={citation}>
              {/* CPSC's rule subjects are in English. */}
              <span lang="en">{subject ? `${citation}: ${subject}` : citation}</span>
            </List.Item>
          ))}
        </List>
        {files.length > 0 && (
          <>
            <Text as="h3" variant="headingSm">
              {t('certificates.files.title')}
            </Text>
            <AttachedFiles files={files} />
          </>
        )}
        {points > 0 && (
          <details>
            <summary style={{ cursor: 'pointer', paddingBlockEnd: 'var(--p-space-200)' }}>
              {t('certificates.current.gaps', { count: points })}
            </summary>
            <List>
              {missing.map(detail => (
                <List.Item key={`${detail.path} ${detail.rule}`}>
                  {`${missingText(t, detail)} (${detail.element})`}
                </List.Item>
              ))}
              {contradictions.map(contradiction => (
                <List.Item key={`${contradiction.code} ${contradiction.path}`}>
                  {contradictionText(t, contradiction)}
                </List.Item>
              ))}
              {warnings.map(warning => (
                <List.Item key={`${warning.code} ${warning.path}`}>{warningText(t, warning)}</List.Item>
              ))}
            </List>
          </details>
        )}
        <InlineStack gap="300">
          <DownloadButton url={`/app/certificates-pdf/${id}`} name={`${kind}-${id}.pdf`}>
            {t('certificates.current.download')}
          </DownloadButton>
          {onBegin && (
            <Button onClick={onBegin}>{t(ended ? 'certificates.beginAgain' : 'certificates.reissue')}</Button>
          )}
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
