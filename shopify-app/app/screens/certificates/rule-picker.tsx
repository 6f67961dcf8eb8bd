import type { CertificateKind } from '@compliance/core/entry';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Check } from '../../../src/certificates/draft.ts';
import type { RuleChoice } from '../../../src/certificates/rules.ts';
import { Badge } from '../../ui/kit/badge.tsx';
import { BlockStack, Button, InlineStack, Text, TextField } from '../../ui/kit/components.ts';
import type { FieldContext } from './field.tsx';
import { FormSection } from './field-groups.tsx';
import { kindOfFields, listAt } from './fields.ts';

const CITED = 'cpsc_rules_cited';

/** Lets the certifier cite rules, either by searching for them or by typing a citation. */
export function RulePicker({
  context,
  choices,
  expected,
  onSearch,
}: {
  readonly context: FieldContext;
  readonly choices: readonly RuleChoice[];
  /** Rules that the product is expected to comply with. */
  readonly expected: NonNullable<Check['expectedRules']>;
  readonly onSearch: (text: string, kind: CertificateKind) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const kind = kindOfFields(context.fields);
  const cited = listAt(context.fields, CITED).map(String);
  const issue = context.issues.find(({ path }) => path.startsWith(CITED));
  const add = (citation: string) => {
    if (!cited.includes(citation)) context.set(CITED, [...cited, citation]);
    setText('');
    onSearch('', kind);
  };
  const words = text.trim();
  const uncited = expected.filter(rule => !rule.cited && !cited.includes(rule.citation));
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
      {uncited.length > 0 && (
        <BlockStack gap="200">
          <Text as="h3" variant="headingSm">
            {t('certificates.rules.expected')}
          </Text>
          {uncited.map(({ citation, subject }) => (
            <InlineStack key={citation} gap="200" blockAlign="center">
              <Button
                onClick={() => add(citation)}
                accessibilityLabel={t('certificates.rules.cite', { citation: `${citation}, ${subject}` })}
              >
                {citation}
              </Button>
              <Text as="span">
                <span lang="en">{subject}</span>
              </Text>
            </InlineStack>
          ))}
          {uncited.length > 1 && (
            <InlineStack>
              <Button onClick={() => context.set(CITED, [...cited, ...uncited.map(({ citation }) => citation)])}>
                {t('certificates.rules.citeAll', { count: uncited.length })}
              </Button>
            </InlineStack>
          )}
        </BlockStack>
      )}
      <TextField
        label={t('certificates.rules.search')}
        helpText={t('certificates.rules.help')}
        value={text}
        onChange={typed => {
          setText(typed);
          onSearch(typed, kind);
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
              {choices.map(({ citation, subject, certificates }) => (
                <InlineStack key={citation} gap="200" blockAlign="center">
                  <Button
                    onClick={() => add(citation)}
                    accessibilityLabel={t('certificates.rules.cite', { citation: `${citation}, ${subject}` })}
                  >
                    {citation}
                  </Button>
                  <Text as="span">
                    <span lang="en">{subject}</span>
                  </Text>
                  {!certificates.includes(kind) && (
                    <Badge tone="attention">
                      {t(
                        `certificates.rules.${certificates.length === 0 ? 'none' : kind === 'GCC' ? 'children' : 'general'}`,
                      )}
                    </Badge>
                  )}
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
