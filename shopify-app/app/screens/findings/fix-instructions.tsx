import { useTranslation } from 'react-i18next';
import type { FindingView } from '../../../src/findings/findings.ts';
import type { FileFix } from '../../../src/scan/model/types.ts';
import { useFormat } from '../../i18n/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { BlockStack, Button, Card, InlineStack, List, Text } from '../../ui/kit/components.ts';
import { RuleText } from '../../ui/rule-text.tsx';
import { Diff } from './diff.tsx';

/** Data and callback for the card that explains a fix. */
export interface FixInstructionsProps
  extends Pick<
    FindingView,
    'steps' | 'language' | 'files' | 'fix' | 'status' | 'watching' | 'rechecking' | 'checked' | 'timeZone'
  > {
  /** Called when the merchant starts to edit the theme. */
  readonly onEdit: () => void;
}

/** Explains how to fix a finding. Shows the exact lines to change, or the reason that the app can't show them. */
export function FixInstructions({ steps, language, fix, onEdit, ...finding }: FixInstructionsProps) {
  const { t } = useTranslation();
  const format = useFormat(finding.timeZone);
  const { status, watching, rechecking, checked } = finding;
  const [file] = finding.files;
  const messages = [
    ...(status === 'open' && watching ? [t('findings.fix.watching')] : []),
    ...(rechecking ? [t('findings.check.running')] : []),
    ...(!rechecking && checked && checked.is !== 'fixed'
      ? [t(`findings.check.${checked.is}`, { date: format.dateTime(checked.at) })]
      : []),
  ];
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('findings.how')}
        </Text>
        <List type="number">
          {steps.map(step => (
            <List.Item key={step}>
              <RuleText lang={language}>{step}</RuleText>
            </List.Item>
          ))}
        </List>
        {fix &&
          ('reason' in fix ? (
            <Text as="p">{t(`findings.fix.none.${fix.reason}`)}</Text>
          ) : (
            <Edit fix={fix} onCopy={onEdit} />
          ))}
        <div>
          {file && (
            <Button url={file.editorUrl} external onClick={onEdit}>
              {t('findings.openEditor')}
            </Button>
          )}
          <div role="status">
            {messages.map(message => (
              <div key={message} style={{ paddingBlockStart: 'var(--p-space-300)' }}>
                <Text as="p">{message}</Text>
              </div>
            ))}
          </div>
        </div>
      </BlockStack>
    </Card>
  );
}

/** Shows a fix as a diff, with buttons that copy the new lines and the corrected file. */
function Edit({ fix, onCopy }: { readonly fix: FileFix; readonly onCopy: () => void }) {
  const { t } = useTranslation();
  const { name, hunks, added, corrected, removes } = fix;
  const kinds = new Set(hunks.flat().map(({ kind }) => kind));
  const task = !kinds.has('added') ? 'delete' : kinds.has('removed') ? 'replace' : 'add';
  return (
    <BlockStack gap="300">
      <Text as="p" breakWord>
        {t(`findings.fix.${task}`)}
      </Text>
      <Diff name={name} hunks={hunks} />
      {removes.length > 0 && (
        <Text as="p" breakWord>
          {t('findings.fix.removes', { names: removes.join(', ') })}
        </Text>
      )}
      <InlineStack gap="200">
        {added.map(({ line, text }) => (
          <CopyButton key={line} text={text} onCopy={onCopy}>
            {added.length === 1 ? t('findings.fix.copy') : t('findings.fix.copyFrom', { line })}
          </CopyButton>
        ))}
        {corrected !== null && (
          <CopyButton text={corrected} onCopy={onCopy}>
            {t('findings.fix.copyFile')}
          </CopyButton>
        )}
      </InlineStack>
    </BlockStack>
  );
}
