import { useTranslation } from 'react-i18next';
import type { SeenCheck } from '../../../src/browser-check/browser-check.ts';
import { BlockStack, Card, List, Text } from '../../ui/kit/components.ts';

/** Lists what the browser check didn't cover, so that missing events aren't mistaken for broken tags. */
export function UnseenSteps({ steps, cut }: Pick<SeenCheck, 'steps' | 'cut'>) {
  const { t } = useTranslation();
  const namesOf = (wanted: (step: SeenCheck['steps'][number]) => boolean) =>
    [...new Set(steps.filter(wanted).map(({ step }) => t(`browser.step.${step}`)))].join(', ');
  const blocked = namesOf(({ skipped }) => skipped === 'robots');
  const missing = namesOf(({ skipped }) => skipped !== null && skipped !== 'robots');
  const incomplete = namesOf(({ skipped, complete }) => skipped === null && !complete);
  const sentences = [
    cut && t(`browser.cut.${cut}`),
    blocked && t('browser.notSeen.robots', { steps: blocked }),
    missing && t('browser.notSeen.skipped', { steps: missing }),
    incomplete && t('browser.notSeen.incomplete', { steps: incomplete }),
    steps.some(({ decision }) => decision === 'none') && t('browser.notSeen.decision'),
    t('browser.notSeen.never'),
  ].flatMap(sentence => sentence || []);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('browser.notSeen.title')}
        </Text>
        <List>
          {sentences.map(sentence => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      </BlockStack>
    </Card>
  );
}
