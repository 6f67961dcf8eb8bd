import { useTranslation } from 'react-i18next';
import type { DraftFile } from '../../../src/certificates/draft-files.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Button, InlineStack, List, Text } from '../../ui/kit/components.ts';

/**
 * Lists files with their names, sizes, and SHA-256 hashes. Only the files in a draft have IDs, so only those files can
 * be removed.
 */
export function AttachedFiles({
  files,
  onRemove,
}: {
  readonly files: readonly (Omit<DraftFile, 'id'> & Partial<DraftFile>)[];
  readonly onRemove?: (id: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <List>
      {files.map(({ id, filename, size, sha256 }) => (
        <List.Item key={filename}>
          <BlockStack gap="100">
            <InlineStack gap="200" blockAlign="center">
              <Text as="span" breakWord>
                {t('certificates.files.file', { name: bidiIsolate(filename), size: format.bytes(size) })}
              </Text>
              {id !== undefined && onRemove && (
                <Button
                  variant="plain"
                  tone="critical"
                  accessibilityLabel={t('certificates.files.removeFile', { name: bidiIsolate(filename) })}
                  onClick={() => onRemove(id)}
                >
                  {t('certificates.files.remove')}
                </Button>
              )}
            </InlineStack>
            <Text as="span" tone="subdued" variant="bodySm" breakWord>
              {t('certificates.files.hash', { hash: sha256 })}
            </Text>
          </BlockStack>
        </List.Item>
      ))}
    </List>
  );
}
