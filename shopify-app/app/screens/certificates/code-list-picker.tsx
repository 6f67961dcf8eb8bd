import { useTranslation } from 'react-i18next';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { BlockStack, InlineStack, Text } from '../../ui/kit/components.ts';

/** Example of a citation code list. */
const EXAMPLE = '{ "as_of": "2026-11-20", "source": "CPSC", "codes": { "16 CFR 1203": "YOUR-CODE" } }';

/** Lets the merchant choose a JSON file with citation codes, and shows the file's name. */
export function CodeListPicker({
  file,
  onFile,
}: {
  readonly file: File | null;
  readonly onFile: (file: File) => void;
}) {
  const { t } = useTranslation();
  const label = t('certificates.efiling.codesFile');
  return (
    <BlockStack gap="100">
      <Text as="p">{label}</Text>
      <InlineStack gap="200" blockAlign="center">
        <FileButton
          label={t('app.chooseFile')}
          accessibilityLabel={`${t('app.chooseFile')}: ${label}`}
          accept=".json,application/json"
          onFiles={([chosen]) => chosen && onFile(chosen)}
        />
        {file && <Text as="span">{bidiIsolate(file.name)}</Text>}
      </InlineStack>
      <Text as="p" tone="subdued">
        {t('certificates.efiling.codesHelp')} <code lang="en">{EXAMPLE}</code>
      </Text>
    </BlockStack>
  );
}
