import { useTranslation } from 'react-i18next';
import type { SeenCheck } from '../../../src/browser-check/browser-check.ts';
import { BlockStack, Card, List, Text } from '../../ui/kit/components.ts';

const PHASES = ['load', 'deny', 'accept'] as const;

/** Lists each phase's steps in the order the browser took them, with the events that the storefront sent. */
export function StepTimeline({ steps, sent, events }: Pick<SeenCheck, 'steps' | 'sent' | 'events'>) {
  const { t } = useTranslation();
  const eventsIn = (phase: string, step: string) =>
    (sent ?? [])
      .filter(each => each.phase === phase && each.step === step)
      .map(({ vendor, event, count }) => {
        const name = [vendor, event].filter(Boolean).join(' ');
        return count > 1 ? t('browser.timeline.repeated', { name, count }) : name;
      });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('browser.timeline.title')}
        </Text>
        <Text as="p">{t('browser.timeline.events', { count: events })}</Text>
        {PHASES.map(phase => {
          const taken = steps.filter(each => each.phase === phase);
          const decision = taken[0]?.decision;
          return (
            taken.length > 0 && (
              <BlockStack key={phase} gap="100">
                <Text as="h3" variant="headingSm">
                  {t(`browser.phase.${phase}`)}
                </Text>
                {decision && (
                  <Text as="p" tone="subdued">
                    {t(`browser.decision.${decision}`)}
                  </Text>
                )}
                <List>
                  {taken.map(({ step, skipped, complete, requests, stored }) => {
                    const sentHere = eventsIn(phase, step);
                    return (
                      <List.Item key={step}>
                        <span style={{ overflowWrap: 'anywhere' }}>
                          {t(`browser.step.${step}`)}:{' '}
                          {skipped !== null
                            ? t('browser.timeline.skipped', { reason: t(`browser.skipped.${skipped}`) })
                            : [
                                t('browser.timeline.requests', { count: requests }),
                                t('browser.timeline.stored', { count: stored }),
                                !complete && t('browser.timeline.incomplete'),
                              ]
                                .filter(Boolean)
                                .join(', ')}
                          {sentHere.length > 0 && ` · ${sentHere.join(' · ')}`}
                        </span>
                      </List.Item>
                    );
                  })}
                </List>
              </BlockStack>
            )
          );
        })}
      </BlockStack>
    </Card>
  );
}
