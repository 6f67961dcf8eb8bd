import type { EfilingTarget } from '@compliance/core/entry';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateTarget, EfilingResult } from '../../../src/certificates/efiling.ts';
import { Banner, BlockStack, Button, Card, InlineStack, List, Select, Text } from '../../ui/kit/components.ts';
import { saveFile } from '../../ui/save-file.ts';
import { CodeListPicker } from './code-list-picker.tsx';
import { formFieldName } from './draft-status.tsx';

const TARGETS: readonly CertificateTarget[] = ['registry_csv', 'fedex_reference'];

/** Names of the recipients that the app can't export data for, by target. */
const UNAVAILABLE = {
  registry_api: 'CPSC Product Registry API',
  fedex_full: 'FedEx Regulatory API',
  easypost: 'EasyPost',
  shipstation: 'ShipStation',
} as const satisfies Readonly<Record<Exclude<EfilingTarget, CertificateTarget | 'fedex_disclaim'>, string>>;

/** Sends requests that export eFiling data. The router's fetchers implement this interface. */
export interface EfilingSource {
  /** Result of the most recent export, which might have been for the previous certificate. */
  readonly data?: EfilingResult | undefined;
  readonly state: 'idle' | 'submitting' | 'loading';
  readonly submit: (
    form: FormData,
    options: { readonly method: 'post'; readonly action: string; readonly encType: 'multipart/form-data' },
  ) => void;
}

/** Lets the merchant export an issued certificate's eFiling data, or lists the missing values. */
export function EfilingData({ certificate, source }: { readonly certificate: string; readonly source: EfilingSource }) {
  const { t } = useTranslation();
  const own = source.data?.certificate === certificate ? source.data : null;
  const [target, setTarget] = useState<CertificateTarget>(own?.target ?? TARGETS[0]!);
  const [codes, setCodes] = useState<File | null>(null);
  const [isChanged, setIsChanged] = useState(false);
  const busy = source.state !== 'idle';
  const takesCodes = target === 'registry_csv';
  const prepare = () => {
    const form = new FormData();
    form.set('target', target);
    if (takesCodes && codes) form.set('codes', codes);
    setIsChanged(false);
    source.submit(form, {
      ...{ method: 'post', encType: 'multipart/form-data', action: `/app/certificates-efiling/${certificate}` },
    });
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.efiling.title')}
        </Text>
        <Text as="p">{t('certificates.efiling.text')}</Text>
        <Select
          label={t('certificates.efiling.target')}
          options={TARGETS.map(value => ({ value, label: t(`certificates.efiling.targets.${value}`) }))}
          value={target}
          onChange={value => {
            setTarget(value as CertificateTarget);
            setIsChanged(true);
          }}
        />
        {takesCodes && (
          <CodeListPicker
            file={codes}
            onFile={file => {
              setCodes(file);
              setIsChanged(true);
            }}
          />
        )}
        <InlineStack>
          <Button loading={busy} onClick={prepare}>
            {t('certificates.efiling.submit')}
          </Button>
        </InlineStack>
        <div aria-live="polite">{own && !busy && !isChanged && <Outcome result={own} />}</div>
        <details>
          <summary style={{ cursor: 'pointer' }}>{t('certificates.efiling.others')}</summary>
          <List>
            {Object.entries(UNAVAILABLE).map(([name, title]) => (
              <List.Item key={name}>{`${title}: ${t(`certificates.efiling.unavailable.${name}`)}`}</List.Item>
            ))}
          </List>
        </details>
      </BlockStack>
    </Card>
  );
}

/** Shows the export result. */
function Outcome({ result: { fault, data } }: { readonly result: EfilingResult }) {
  const { t } = useTranslation();
  if (fault) return <Banner tone="critical" title={t(`certificates.efiling.faults.${fault.code}`, { ...fault })} />;
  if (!data) return null;
  const { content, filename, gaps, notes } = data;
  return (
    <BlockStack gap="300">
      {content === null ? (
        <Banner tone="warning" title={t('certificates.efiling.incomplete', { count: gaps.length })}>
          <List>
            {gaps.map(({ path, message }) => {
              const name = path === 'codes' ? t('certificates.efiling.codes') : formFieldName(t, path);
              return (
                <List.Item key={`${path} ${message}`}>
                  {name !== path && `${name}: `}
                  <bdi>{message}</bdi>
                </List.Item>
              );
            })}
          </List>
          <p>{t('certificates.efiling.replace')}</p>
        </Banner>
      ) : (
        <Banner title={t('certificates.efiling.ready')} />
      )}
      <Text as="h3" variant="headingSm">
        {t('certificates.efiling.notes')}
      </Text>
      <List>
        {notes.map(note => (
          <List.Item key={note}>
            <bdi>{note}</bdi>
          </List.Item>
        ))}
      </List>
      {content !== null && filename !== null && (
        <InlineStack>
          <Button onClick={() => saveFile(new Blob([content]), filename)}>
            {t('certificates.efiling.download', { name: filename })}
          </Button>
        </InlineStack>
      )}
    </BlockStack>
  );
}
