import type { CodeCandidate } from '@compliance/core/tariff';
import { useTranslation } from 'react-i18next';
import { BlockStack, Button, InlineStack, Text } from '../../ui/kit/components.ts';
import { HtsDescription } from './hts-description.tsx';

/** Lists codes that might apply, each with the reason and a button that enters the code in the form. */
export function Candidates({
  candidates,
  code,
  ofProduct = true,
  onChoose,
}: {
  readonly candidates: readonly CodeCandidate[];
  /** Short code that the candidates start with, or null. */
  readonly code: string | null;
  /** Whether the candidates are for a single product and can therefore match its title, type, or options. */
  readonly ofProduct?: boolean;
  readonly onChoose: (hts: string) => void;
}) {
  const { t } = useTranslation();
  if (candidates.length === 0)
    return (
      <Text as="p" tone="subdued">
        {code === null ? t('catalog.candidates.none') : t('catalog.candidates.noneUnder', { code })}
      </Text>
    );
  return (
    <details>
      <summary style={{ cursor: 'pointer', paddingBlockEnd: 'var(--p-space-200)' }}>
        {t('catalog.candidates.title', { count: candidates.length })}
      </summary>
      <BlockStack gap="300">
        <Text as="p" tone="subdued">
          {t('catalog.candidates.caution')}
        </Text>
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {candidates.map(({ hts, description, words }) => (
            <li key={hts} style={{ paddingBlockEnd: 'var(--p-space-300)', overflowWrap: 'anywhere' }}>
              <InlineStack gap="200" blockAlign="center">
                <Text as="span" fontWeight="semibold">
                  {hts}
                </Text>
                <Button
                  variant="plain"
                  accessibilityLabel={t('catalog.candidates.useCode', { code: hts })}
                  onClick={() => onChoose(hts)}
                >
                  {t('catalog.candidates.use')}
                </Button>
              </InlineStack>
              <Text as="p">
                <HtsDescription rows={description} />
              </Text>
              <Text as="p" tone="subdued">
                {words.length > 0
                  ? t('catalog.candidates.words', {
                      words: words.map(word => t('catalog.candidates.word', { word })).join(', '),
                      code: hts,
                    })
                  : t(ofProduct ? 'catalog.candidates.startsWith' : 'catalog.candidates.under', { code })}
              </Text>
            </li>
          ))}
        </ul>
      </BlockStack>
    </details>
  );
}
