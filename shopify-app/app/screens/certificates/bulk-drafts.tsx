import { startTransition, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkDraftResult, BulkDraftsView } from '../../../src/certificates/bulk-drafts.ts';
import type { SavedProfile } from '../../../src/certificates/profiles.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { CsvDropZone } from '../../ui/csv-drop-zone.tsx';
import {
  Banner,
  BlockStack,
  Button,
  Card,
  FormLayout,
  InlineStack,
  Link,
  List,
  Page,
  Select,
  Text,
} from '../../ui/kit/components.ts';
import { CodeListPicker } from './code-list-picker.tsx';
import { ProfileForm, type ProfileFormProps } from './profile-form.tsx';

/** Maximum number of rows or columns to list. */
const MAX_LISTED = 20;

/** Data and callbacks for the bulk drafts page. */
export interface BulkDraftsProps extends BulkDraftsView, Pick<ProfileFormProps, 'onSave' | 'saving'> {
  readonly saved: SavedProfile | null;
  readonly created: BulkDraftResult | null;
  readonly creating: boolean;
  readonly onDelete: (id: string) => void;
  /**
   * Creates drafts for the products in a file, or for all products without a certificate. `codes` is the citation code
   * list for a Product Registry file.
   */
  readonly onCreate: (profile: string, file: File | null, codes: File | null) => void;
}

/** Manages certificate profiles, and creates certificate drafts for many products from a profile. */
export function BulkDrafts({ profiles, without, saved, saving, created, creating, ...on }: BulkDraftsProps) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<string | null>(null);
  // The form has many fields, so it's rendered in a transition, which doesn't block the response to the click.
  const edit = (id: string) => startTransition(() => setEdited(id));
  const [chosen, setChosen] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [codes, setCodes] = useState<File | null>(null);
  const savedId = saved && 'id' in saved ? saved.id : null;
  useEffect(() => {
    if (savedId !== null) setEdited(null);
  }, [savedId]);
  const profile = profiles.some(({ id }) => id === chosen) ? chosen : (profiles[0]?.id ?? '');
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Page
        title={t('certificates.bulk.title')}
        subtitle={t('certificates.bulk.subtitle')}
        backAction={{ content: t('app.nav.certificates'), url: '/app/certificates' }}
        narrowWidth
      >
        <BlockStack gap="400">
          {edited !== null && (
            <ProfileForm
              key={edited}
              profile={profiles.find(({ id }) => id === edited) ?? null}
              saved={saved}
              saving={saving}
              onSave={on.onSave}
              onClose={() => setEdited(null)}
            />
          )}
          {edited === null && (
            <>
              <Card>
                <BlockStack gap="300">
                  <Text as="h2" variant="headingMd">
                    {t('certificates.profiles.title')}
                  </Text>
                  <Text as="p">{t('certificates.profiles.text')}</Text>
                  {profiles.map(({ id, name }) => (
                    <InlineStack key={id} gap="200" blockAlign="center" align="space-between">
                      <Text as="span">{bidiIsolate(name)}</Text>
                      <InlineStack gap="200">
                        <Button accessibilityLabel={t('certificates.profiles.edit', { name })} onClick={() => edit(id)}>
                          {t('certificates.profiles.editShort')}
                        </Button>
                        <Button
                          tone="critical"
                          variant="tertiary"
                          accessibilityLabel={t('certificates.profiles.deleteOne', { name })}
                          disabled={saving}
                          onClick={() => on.onDelete(id)}
                        >
                          {t('certificates.profiles.delete')}
                        </Button>
                      </InlineStack>
                    </InlineStack>
                  ))}
                  <InlineStack>
                    <Button onClick={() => edit('')}>{t('certificates.profiles.add')}</Button>
                  </InlineStack>
                </BlockStack>
              </Card>
              {profiles.length > 0 && (
                <Card>
                  <BlockStack gap="300">
                    <Text as="h2" variant="headingMd">
                      {t('certificates.bulk.create')}
                    </Text>
                    <FormLayout>
                      <Select
                        label={t('certificates.bulk.profile')}
                        value={profile}
                        options={profiles.map(({ id, name }) => ({ value: id, label: name }))}
                        onChange={setChosen}
                      />
                      <CsvDropZone
                        label={t('certificates.bulk.file')}
                        action={t('app.chooseFile')}
                        hint={file ? bidiIsolate(file.name) : t('app.dropFile')}
                        onFile={setFile}
                      />
                      <Text as="p" tone="subdued">
                        {t('certificates.bulk.columns')}
                      </Text>
                      <Text as="p" tone="subdued">
                        {t('certificates.bulk.registry')}
                      </Text>
                      {file && <CodeListPicker file={codes} onFile={setCodes} />}
                    </FormLayout>
                    <InlineStack gap="300">
                      <Button
                        variant="primary"
                        loading={creating}
                        disabled={file === null && without === 0}
                        onClick={() => on.onCreate(profile, file, file && codes)}
                      >
                        {file ? t('certificates.bulk.fromFile') : t('certificates.bulk.forAll', { count: without })}
                      </Button>
                    </InlineStack>
                  </BlockStack>
                </Card>
              )}
              <div aria-live="polite">{created && !creating && <Created created={created} />}</div>
            </>
          )}
        </BlockStack>
      </Page>
    </div>
  );
}

function Created({ created }: { readonly created: BulkDraftResult }) {
  const { t } = useTranslation();
  if ('fault' in created) return <Banner tone="critical" title={t(`certificates.bulk.faults.${created.fault}`)} />;
  if ('codes' in created)
    return (
      <Banner tone="critical" title={t(`certificates.efiling.faults.${created.codes.code}`, { ...created.codes })} />
    );
  const { unknown, repeated, invalid, dropped, assumed, skipped } = created;
  return (
    <Banner
      tone={unknown.length + repeated.length + invalid.length + dropped.length > 0 ? 'warning' : 'success'}
      title={t('certificates.bulk.created', { count: created.created })}
    >
      {skipped > 0 && <p>{t('certificates.bulk.skipped', { count: skipped })}</p>}
      <Rows kind="unknown" rows={unknown.map(({ line, product }) => ({ line, text: product }))} />
      <Rows kind="repeated" rows={repeated.map(({ line, product }) => ({ line, text: product }))} />
      <Rows kind="invalid" rows={invalid.map(({ line, column }) => ({ line, text: column }))} />
      <Rows kind="dropped" rows={dropped.map(column => ({ line: null, text: column }))} />
      {assumed.map(path => (
        <p key={path}>{t(`certificates.bulk.assumed.${ASSUMED[path]}`)}</p>
      ))}
      <Link url="/app/certificates?state=draft">{t('certificates.bulk.view')}</Link>
    </Banner>
  );
}

const ASSUMED = {
  'product_info.place_of_manufacture': 'place',
  tests: 'tests',
  'small_batch.year': 'year',
} as const;

/** Lists rows or columns of the file that the drafts omit or change, below a sentence that includes the count. */
function Rows({
  kind,
  rows,
}: {
  readonly kind: 'unknown' | 'repeated' | 'invalid' | 'dropped';
  readonly rows: readonly { readonly line: number | null; readonly text: string }[];
}) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    <>
      <p>{t(`certificates.bulk.${kind}`, { count: rows.length })}</p>
      <List>
        {rows.slice(0, MAX_LISTED).map(({ line, text }) => (
          <List.Item key={`${line} ${text}`}>
            {line !== null && `${t('catalog.import.line', { line })}: `}
            <bdi>{text}</bdi>
          </List.Item>
        ))}
      </List>
    </>
  );
}
