import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { BlockStack, Button, Card, InlineStack, Text } from '../../ui/kit/components.ts';
import { type FieldContext, FormField } from './field.tsx';
import { type FieldGroup, kindOf, listAt, valueAt } from './fields.ts';

/** Renders a form section with a heading. */
export function FormSection({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const text = t(`certificates.about.${name}`, { defaultValue: '' });
  return (
    <Card>
      <div id={name} tabIndex={-1}>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t(`certificates.section.${name}`)}
          </Text>
          {text && (
            <Text as="p" tone="subdued">
              {text}
            </Text>
          )}
          {children}
        </BlockStack>
      </div>
    </Card>
  );
}

/** Renders a group's fields. Rarely used fields are collapsed unless one of them has a value. */
export function FormGroup({
  group,
  path,
  context,
}: {
  readonly group: FieldGroup;
  readonly path: string;
  readonly context: FieldContext;
}) {
  const { t } = useTranslation();
  const shown = (names: readonly string[]) => (
    <div
      style={{
        display: 'grid',
        gap: 'var(--p-space-400)',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 17rem), 1fr))',
      }}
    >
      {names.map(name => (
        <div key={name} style={kindOf(name) === 'long' ? { gridColumn: '1 / -1' } : undefined}>
          <FormField path={`${path}.${name}`} context={context} />
        </div>
      ))}
    </div>
  );
  return (
    <BlockStack gap="300">
      {group.fields.length > 0 && shown(group.fields)}
      {group.more.length > 0 && (
        <Collapsible
          title={t('certificates.more')}
          paths={group.more.map(name => `${path}.${name}`)}
          open={group.more.some(name => valueAt(context.fields, `${path}.${name}`) !== undefined)}
        >
          {() => shown(group.more)}
        </Collapsible>
      )}
    </BlockStack>
  );
}

/**
 * Renders a collapsed section that creates its fields when it is first expanded. Until then, placeholders have the
 * field IDs, so that links to the fields work.
 */
function Collapsible({
  title,
  paths,
  open,
  children,
}: {
  readonly title: string;
  readonly paths: readonly string[];
  readonly open: boolean;
  readonly children: () => ReactNode;
}) {
  const [opened, setOpened] = useState(open);
  const details = useRef<HTMLDetailsElement>(null);
  // React misses the toggle event if the merchant opens the element before hydration.
  useEffect(() => setOpened(previous => previous || details.current!.open), []);
  return (
    // Render synchronously, so that the code that expands the group can focus a field immediately.
    <details ref={details} open={open} onToggle={() => flushSync(() => setOpened(true))}>
      <summary style={{ cursor: 'pointer', paddingBlock: 'var(--p-space-200)' }}>{title}</summary>
      {opened ? children() : paths.map(path => <span key={path} id={path} />)}
    </details>
  );
}

/** Renders a list of groups, each with a remove button. */
export function GroupList({
  group,
  initial,
  several,
  context,
}: {
  readonly group: FieldGroup;
  /** Initial values for a new group. */
  readonly initial: object;
  /** Groups that a second button adds with one click. The button is shown only for two or more groups. */
  readonly several?: { readonly label: string; readonly entries: readonly object[] };
  readonly context: FieldContext;
}) {
  const { t } = useTranslation();
  const { name } = group;
  const entries = listAt(context.fields, name);
  const title = (number: number) => t(`certificates.entry.${name}`, { number });
  return (
    <FormSection name={name}>
      {entries.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, only a position
        <BlockStack key={index} gap="200">
          <InlineStack align="space-between" blockAlign="center">
            <Text as="h3" variant="headingSm">
              {title(index + 1)}
            </Text>
            <Button
              variant="tertiary"
              accessibilityLabel={t('certificates.removeWhat', { what: title(index + 1) })}
              onClick={() =>
                context.set(
                  name,
                  entries.filter((_, at) => at !== index),
                )
              }
            >
              {t('certificates.remove')}
            </Button>
          </InlineStack>
          <FormGroup group={group} path={`${name}.${index}`} context={context} />
        </BlockStack>
      ))}
      <InlineStack gap="200">
        <Button onClick={() => context.set(name, [...entries, initial])}>{t(`certificates.add.${name}`)}</Button>
        {several && several.entries.length > 1 && (
          <Button onClick={() => context.set(name, [...entries, ...several.entries])}>{several.label}</Button>
        )}
      </InlineStack>
    </FormSection>
  );
}
