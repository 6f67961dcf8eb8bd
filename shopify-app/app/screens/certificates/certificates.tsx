import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificatesQuery, CertificatesView } from '../../../src/certificates/list.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Badge } from '../../ui/kit/badge.tsx';
import { Banner, BlockStack, Button, Card, InlineStack, Link, Page, Text, TextField } from '../../ui/kit/components.ts';
import { CertificateBadge } from './certificate-badge.tsx';

const STATES = ['none', 'draft', 'issued', 'voided'] as const;

/** Returns the URL of the certificates list with the specified filters. */
const urlOf = (query: Partial<CertificatesQuery>): string =>
  `/app/certificates?${new URLSearchParams(
    Object.entries(query).filter((field): field is [string, string] => Boolean(field[1])),
  )}`;

/** Lists the products that have the selected certificate state. */
export function CertificatesScreen({
  rows,
  next,
  asked,
  counts,
  hasCatalog,
  timeZone,
  onNavigate,
}: CertificatesView & { readonly onNavigate: (url: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const [text, setText] = useState(asked.q ?? '');
  const search = (event: FormEvent) => {
    event.preventDefault();
    onNavigate(urlOf({ state: asked.state, q: text.trim() }));
  };
  return (
    <Page
      title={t('app.nav.certificates')}
      subtitle={t('certificates.subtitle')}
      secondaryActions={[{ content: t('certificates.bulk.open'), url: '/app/certificates/bulk' }]}
    >
      <BlockStack gap="400">
        {!hasCatalog && (
          <Banner
            title={t('certificates.noCatalog')}
            action={{ content: t('certificates.toCatalog'), url: '/app/catalog' }}
          />
        )}
        <Card>
          <BlockStack gap="300">
            <form onSubmit={search}>
              <TextField
                label={t('certificates.search')}
                value={text}
                onChange={setText}
                autoComplete="off"
                connectedRight={<Button submit>{t('certificates.find')}</Button>}
              />
            </form>
            <InlineStack gap="200">
              {STATES.map(state => (
                <Button
                  key={state}
                  url={urlOf({ state })}
                  variant={!asked.q && asked.state === state ? 'primary' : 'secondary'}
                  accessibilityLabel={t(
                    !asked.q && asked.state === state ? 'certificates.tabHere' : 'certificates.tab',
                    { state: t(`certificates.state.${state}`), count: counts[state] },
                  )}
                >
                  {`${t(`certificates.state.${state}`)} (${format.number(counts[state])})`}
                </Button>
              ))}
            </InlineStack>
          </BlockStack>
        </Card>
        {rows.length === 0 && hasCatalog && (
          <Card>
            <Text as="p">{t(`certificates.empty.${asked.q ? 'search' : asked.state}`)}</Text>
          </Card>
        )}
        {rows.length > 0 && (
          <Card padding="0">
            <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {rows.map(({ product, title, status, updatedAt, retestDue }) => (
                <li
                  key={product}
                  style={{
                    padding: 'var(--p-space-300) var(--p-space-400)',
                    borderBlockEnd: '1px solid var(--p-color-border-secondary)',
                  }}
                >
                  <InlineStack gap="200" blockAlign="center">
                    <Link url={`/app/certificates/${product}`}>
                      <bdi style={{ overflowWrap: 'anywhere' }}>{title ?? t('certificates.goneProduct')}</bdi>
                    </Link>
                    {status && <CertificateBadge status={status} />}
                    {retestDue !== null && (
                      <Badge tone="attention">{t('certificates.retestDue', { date: format.day(retestDue) })}</Badge>
                    )}
                    {updatedAt !== null && (
                      <Text as="span" tone="subdued">
                        {format.date(updatedAt)}
                      </Text>
                    )}
                  </InlineStack>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <InlineRow>
          {asked.cursor && <Link url={urlOf({ ...asked, cursor: undefined })}>{t('findings.firstPage')}</Link>}
          {next && <Button url={urlOf({ ...asked, cursor: next })}>{t('findings.nextPage')}</Button>}
          {counts.issued + counts.voided > 0 && (
            <DownloadButton url="/app/certificates-csv" name="certificates.csv">
              {t('findings.download')}
            </DownloadButton>
          )}
        </InlineRow>
      </BlockStack>
    </Page>
  );
}
