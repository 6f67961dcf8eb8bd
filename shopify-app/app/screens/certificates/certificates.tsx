import { Banner, BlockStack, Button, Card, InlineStack, Link, Page, Text, TextField } from '@shopify/polaris';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Asked, CertificatesView } from '../../../src/certificates/list.ts';
import { DownloadButton } from '../../document/download-button.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../badge.tsx';
import { BetweenCards } from '../between-cards.tsx';

const STATES = ['none', 'draft', 'issued', 'voided'] as const;
const TONES = { none: undefined, draft: 'info', issued: 'success', voided: 'critical' } as const;

/** The address of a list. */
const addressOf = (asked: Partial<Asked>): string =>
  `/app/certificates?${new URLSearchParams(
    Object.entries(asked).filter((field): field is [string, string] => Boolean(field[1])),
  )}`;

/** Every product by where its certificate stands. */
export function Certificates({
  rows,
  next,
  asked,
  counts,
  hasCatalog,
  timeZone,
  onAsk,
}: CertificatesView & { readonly onAsk: (address: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const [text, setText] = useState(asked.q ?? '');
  const search = (event: FormEvent) => {
    event.preventDefault();
    onAsk(addressOf({ state: asked.state, q: text.trim() }));
  };
  return (
    <Page title={t('app.nav.certificates')} subtitle={t('certificates.subtitle')}>
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
                  url={addressOf({ state })}
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
              {rows.map(({ product, title, state, updatedAt }) => (
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
                    {asked.q && <Badge tone={TONES[state]}>{t(`certificates.state.${state}`)}</Badge>}
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
        <BetweenCards>
          {asked.cursor && <Link url={addressOf({ ...asked, cursor: undefined })}>{t('findings.firstPage')}</Link>}
          {next && <Button url={addressOf({ ...asked, cursor: next })}>{t('findings.nextPage')}</Button>}
          {counts.issued + counts.voided > 0 && (
            <DownloadButton url="/app/certificates-csv" name="certificates.csv">
              {t('findings.download')}
            </DownloadButton>
          )}
        </BetweenCards>
      </BlockStack>
    </Page>
  );
}
