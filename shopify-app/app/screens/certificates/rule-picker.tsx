import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Button, InlineStack, Text, TextField } from '../../ui/kit/components.ts';
import type { FieldContext } from './field.tsx';
import { FormSection } from './field-groups.tsx';
import { listAt } from './fields.ts';

const CITED = 'cpsc_rules_cited';

/** Lets the certifier cite rules, either by searching for them or by typing a citation. */
export function RulePicker({
  context,
  choices,
  onSearch,
}: {
  readonly context: FieldContext;
  readonly choices: readonly RuleChoice[];
  readonly onSearch: (text: string) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const cited = listAt(context.fields, CITED).map(String);
  const issue = context.issues.find(({ path }) => path.startsWith(CITED));
  const add = (citation: string) => {
    if (!cited.includes(citation)) context.set(CITED, [...cited, citation]);
    setText('');
    onSearch('');
  };
  const words = text.trim();
  return (
    <FormSection name={CITED}>
      {cited.length > 0 && (
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {cited.map(citation => (
            <li key={citation}>
              <InlineStack gap="200" blockAlign="center" align="space-between">
                <Text as="span" breakWord>
                  {citation}
                </Text>
                <Button
                  variant="tertiary"
                  accessibilityLabel={t('certificates.removeWhat', { what: citation })}
                  onClick={() =>
                    context.set(
                      CITED,
                      cited.filter(one => one !== citation),
                    )
                  }
                >
                  {t('certificates.remove')}
                </Button>
              </InlineStack>
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={t('certificates.rules.search')}
        helpText={t('certificates.rules.help')}
        value={text}
        onChange={typed => {
          setText(typed);
          onSearch(typed);
        }}
        error={
          issue && (context.strict || issue.code !== 'REQUIRED') ? t(`certificates.fault.${issue.code}`) : undefined
        }
        autoComplete="off"
      />
      <div aria-live="polite">
        {words !== '' && (
          // The fixed height prevents the form from shifting when search results arrive.
          <div style={{ blockSize: '16rem', overflowY: 'auto' }}>
            <BlockStack gap="200">
              <Text as="p" tone="subdued">
                {t('certificates.rules.found', { count: choices.length })}
              </Text>
              {choices.map(({ citation, subject, kind }) => (
                <InlineStack key={citation} gap="200" blockAlign="center">
                  <Button
                    onClick={() => add(citation)}
                    accessibilityLabel={t('certificates.rules.cite', { citation: `${citation}, ${subject}` })}
                  >
                    {citation}
                  </Button>
                  <Text as="span">{subject}</Text>
                  {kind !== 'general' && <Badge tone="attention">{t(`certificates.rules.${kind}`)}</Badge>}
                </InlineStack>
              ))}
              <InlineStack>
                <Button variant="tertiary" onClick={() => add(words)}>
                  {t('certificates.rules.asTyped', { text: words.slice(0, 60) })}
                </Button>
              </InlineStack>
            </BlockStack>
          </div>
        )}
      </div>
    </FormSection>
  );
}
