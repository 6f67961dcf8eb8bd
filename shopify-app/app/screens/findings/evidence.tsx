import { useTranslation } from 'react-i18next';
import type { FindingView } from '../../../src/findings/findings.ts';
import { BlockStack, Card, Link, List, Text } from '../../ui/kit/components.ts';
import { RuleText } from '../../ui/rule-text.tsx';

/** Shows the code behind a finding, and the files and pages that contain the code. */
export function Evidence({ message, messageLanguage, snippet, ids, pages, files, origin }: FindingView) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('findings.seen')}
        </Text>
        <Text as="p" breakWord>
          <RuleText lang={messageLanguage}>{message}</RuleText>
        </Text>
        {snippet && (
          <pre
            style={{
              margin: 0,
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
              background: 'var(--p-color-bg-surface-secondary)',
              padding: 'var(--p-space-300)',
              borderRadius: 'var(--p-border-radius-200)',
            }}
          >
            <code>{snippet}</code>
          </pre>
        )}
        {ids.length > 0 && (
          <Text as="p" breakWord>
            {t('findings.ids', { ids: ids.join(', ') })}
          </Text>
        )}
        <Text as="p">{t(`findings.origin.${origin}`)}</Text>
        {files.length > 0 && (
          <List>
            {files.map(({ name, line, editorUrl }) => (
              <List.Item key={`${name}:${line}`}>
                <Link url={editorUrl} target="_top">
                  <span style={{ overflowWrap: 'anywhere' }}>
                    {line === null ? name : t('findings.line', { name, line })}
                  </span>
                </Link>
              </List.Item>
            ))}
          </List>
        )}
        {pages.length > 0 && (
          <>
            <Text as="p">{t('findings.onPages')}</Text>
            <List>
              {pages.map(({ path, url }) => (
                <List.Item key={path}>
                  {url ? (
                    <Link url={url} external>
                      <span style={{ overflowWrap: 'anywhere' }}>{path}</span>
                    </Link>
                  ) : (
                    path
                  )}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </BlockStack>
    </Card>
  );
}
