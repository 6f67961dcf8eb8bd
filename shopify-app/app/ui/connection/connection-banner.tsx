import { useContext, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner, Box } from '../kit/components.ts';
import { ConnectionContext } from './connection-context.ts';

/** Explains why the app is waiting, in a banner above the unchanged page. Shows nothing while the connection works. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const connection = useContext(ConnectionContext);
  const problem = useSyncExternalStore(connection.subscribe, connection.problem, () => null);
  if (problem === null) return null;
  return (
    <div style={{ position: 'sticky', insetBlockStart: 0, zIndex: 'var(--p-z-index-10)' }}>
      <Box padding="400" background="bg">
        <Banner
          tone="warning"
          title={t(`app.connection.${problem}.title`)}
          action={{ content: t('app.connection.retry'), onAction: connection.retry }}
        >
          {t(`app.connection.${problem}.text`)}
        </Banner>
      </Box>
    </div>
  );
}
