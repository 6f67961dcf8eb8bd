import { useTranslation } from 'react-i18next';
import type { Voided } from '../../../src/certificates/issue.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { BlockStack, Button, Card, InlineStack, List, Page, Text } from '../../ui/kit/components.ts';
import { CertificateSummary } from './certificate-summary.tsx';
import { DraftForm, type DraftFormProps } from './draft-form.tsx';
import { EfilingData, type EfilingSource } from './efiling-data.tsx';
import { Labels } from './labels.tsx';
import { ShopifyFiles, type ShopifyFilesProps } from './shopify-files.tsx';
import { VoidForm } from './void-form.tsx';

/** Data and callbacks for a product's certificate page. */
export interface ProductProps extends Omit<DraftFormProps, 'draft'> {
  readonly beginning: boolean;
  readonly voided: Voided | null;
  readonly voiding: boolean;
  readonly efiling: EfilingSource;
  readonly shopify: Pick<ShopifyFilesProps, 'outcome' | 'declined' | 'busy'>;
  readonly onPut: ShopifyFilesProps['onPut'];
  readonly onBegin: () => void;
  readonly onVoid: (reason: string) => void;
}

/** Shows a product's current certificate, draft, and certificate history. */
export function Product({
  beginning,
  voided,
  voiding,
  efiling,
  shopify,
  onPut,
  onBegin,
  onVoid,
  ...form
}: ProductProps) {
  const { t } = useTranslation();
  const { view } = form;
  const { draft, current, history, title, timeZone } = view;
  const format = useFormat(timeZone);
  return (
    // A product title can consist of a single long word.
    <div style={{ overflowWrap: 'anywhere' }}>
      <Page
        title={title === null ? t('certificates.goneProduct') : bidiIsolate(title)}
        backAction={{ content: t('app.nav.certificates'), url: '/app/certificates' }}
      >
        <BlockStack gap="400">
          {current && <CertificateSummary current={current} timeZone={timeZone} onBegin={draft ? null : onBegin} />}
          {current && !current.ended && <Labels certificate={current} />}
          {current && !current.ended && <EfilingData certificate={current.id} source={efiling} />}
          {current && !current.ended && <ShopifyFiles {...shopify} certificate={current.id} onPut={onPut} />}
          {!draft && !current && (
            <Card>
              <BlockStack gap="300">
                <Text as="h2" variant="headingMd">
                  {t('certificates.begin.title')}
                </Text>
                <Text as="p">{t('certificates.begin.text')}</Text>
                <InlineStack>
                  <Button variant="primary" loading={beginning} onClick={onBegin}>
                    {t('certificates.begin.submit')}
                  </Button>
                </InlineStack>
              </BlockStack>
            </Card>
          )}
          {draft && <DraftForm key={draft.id} {...form} draft={draft} />}
          {current && !current.ended && <VoidForm outcome={voided} busy={voiding} onVoid={onVoid} />}
          {history.length > 0 && (
            <Card>
              <BlockStack gap="300">
                <Text as="h2" variant="headingMd">
                  {t('certificates.history.title')}
                </Text>
                <List>
                  {history.map(({ id, event, gccId, supersedes, reason, at }) => (
                    <List.Item key={id}>
                      <BlockStack gap="100">
                        <Text as="p" breakWord>
                          {t(`certificates.history.${event === 'issued' && supersedes ? 'replaced' : event}`, {
                            ...{ date: format.dateTime(at), id: gccId },
                            ...{ reason, old: supersedes },
                          })}
                        </Text>
                        {event === 'issued' && gccId !== current?.id && (
                          <InlineStack>
                            <DownloadButton url={`/app/certificates-pdf/${gccId}`} name={`certificate-${gccId}.pdf`}>
                              {t('certificates.current.download')}
                            </DownloadButton>
                          </InlineStack>
                        )}
                      </BlockStack>
                    </List.Item>
                  ))}
                </List>
              </BlockStack>
            </Card>
          )}
        </BlockStack>
      </Page>
    </div>
  );
}
