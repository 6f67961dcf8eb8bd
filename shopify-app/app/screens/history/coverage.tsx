import { useTranslation } from 'react-i18next';
import type { ScanCoverage } from '../../../src/scan/model/types.ts';
import { BlockStack, Card, List, Text } from '../../ui/kit/components.ts';

/** Lists the pages and files that a scan covered or skipped, and the areas that scans can't access. */
export function ScanCoverageSection({ pages, theme, unseen }: ScanCoverage) {
  const { t } = useTranslation();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('history.read')}
        </Text>
        <List>
          {pages.map(({ kind, path, state, reason, scripts, scriptsNotRead }) => (
            <List.Item key={`${kind} ${path}`}>
              <span style={{ overflowWrap: 'anywhere' }}>
                {[t(`history.page.${kind}`), path].filter(Boolean).join(' ')}: {t(`history.pageState.${state}`)}
                {reason && ` (${t(`history.reason.${reason}`, { defaultValue: reason })})`}
                {(state === 'read' || state === 'cut') && `, ${t('history.scripts', { count: scripts })}`}
                {scriptsNotRead > 0 && `, ${t('history.scriptsNotRead', { count: scriptsNotRead })}`}
              </span>
            </List.Item>
          ))}
          <List.Item>
            {theme.theme?.name ?? t('history.theme')}:{' '}
            {t(`history.themeState.${theme.state}`, { read: theme.filesRead, files: theme.files })}
          </List.Item>
          {theme.notRead.map(({ name, reason }) => (
            <List.Item key={name}>
              <span style={{ overflowWrap: 'anywhere' }}>
                {name}: {t(`history.fileReason.${reason}`)}
              </span>
            </List.Item>
          ))}
        </List>
        <Text as="h3" variant="headingSm">
          {t('history.unseen')}
        </Text>
        <List>
          {unseen.map(({ what, names }) => (
            <List.Item key={what}>
              <span style={{ overflowWrap: 'anywhere' }}>
                {t(`history.unseenWhat.${what}`)}
                {names.length > 0 && `: ${names.join(', ')}`}
              </span>
            </List.Item>
          ))}
        </List>
      </BlockStack>
    </Card>
  );
}
