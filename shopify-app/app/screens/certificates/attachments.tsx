import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AttachmentFault, AttachmentResult } from '../../../src/certificates/attachments.ts';
import type { ProductView } from '../../../src/certificates/product.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { Banner, BlockStack, Card, InlineStack, List, Text } from '../../ui/kit/components.ts';
import { AttachedFiles } from './attached-files.tsx';

/** Sends requests that attach and remove files. The router's fetchers implement this interface. */
export interface AttachmentSource {
  /** Result of the most recent request, which might have been for another draft. */
  readonly data?: AttachmentResult | undefined;
  readonly state: 'idle' | 'submitting' | 'loading';
  readonly submit: (
    form: FormData,
    options: { readonly method: 'post'; readonly action: string; readonly encType: 'multipart/form-data' },
  ) => void;
}

/** Lets the merchant attach files to a draft and remove them, and lists the files that can't be attached. */
export function Attachments({
  product,
  draft: { id: draft, files, fileSpace },
  source,
}: {
  readonly product: string;
  readonly draft: Pick<NonNullable<ProductView['draft']>, 'id' | 'files' | 'fileSpace'>;
  readonly source: AttachmentSource;
}) {
  const { t } = useTranslation();
  const [oversized, setOversized] = useState<readonly AttachmentFault[]>([]);
  const busy = source.state !== 'idle';
  const faults = [...oversized, ...(!busy && source.data?.draft === draft ? source.data.faults : [])];
  const send = (form: FormData, intent: 'attach' | 'remove') => {
    form.set('intent', intent);
    form.set('draft', draft);
    const action = `/app/certificates-attachments/${product}`;
    source.submit(form, { method: 'post', encType: 'multipart/form-data', action });
  };
  const attach = (chosen: readonly File[]) => {
    // The server rejects an entire request if it's too large, so files that would exceed the limit aren't sent.
    let space = fileSpace;
    const form = new FormData();
    const refused: AttachmentFault[] = [];
    for (const file of chosen) {
      if (file.size > space) refused.push({ filename: file.name, code: 'too_large' });
      else {
        space -= file.size;
        form.append('files', file);
      }
    }
    setOversized(refused);
    if (form.has('files')) send(form, 'attach');
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('certificates.files.title')}
        </Text>
        <Text as="p">{t('certificates.files.text')}</Text>
        {files.length > 0 && (
          <AttachedFiles
            files={files}
            onRemove={id => {
              const form = new FormData();
              form.set('id', id);
              setOversized([]);
              send(form, 'remove');
            }}
          />
        )}
        <InlineStack>
          <FileButton
            label={t('certificates.files.attach')}
            accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"
            multiple
            busy={busy}
            onFiles={attach}
          />
        </InlineStack>
        <div aria-live="polite">
          {faults.length > 0 && (
            <Banner tone="critical" title={t('certificates.files.notAttached', { count: faults.length })}>
              <List>
                {faults.map(({ filename, code }) => (
                  <List.Item key={`${filename} ${code}`}>
                    {`${bidiIsolate(filename)}: ${t(`certificates.files.faults.${code}`)}`}
                  </List.Item>
                ))}
              </List>
            </Banner>
          )}
        </div>
      </BlockStack>
    </Card>
  );
}
