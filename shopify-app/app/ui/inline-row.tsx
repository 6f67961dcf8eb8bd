import { Children, type ReactNode } from 'react';
import { Box, InlineStack } from './kit/components.ts';

/** Renders a row of controls between cards, with side padding on phones. Renders nothing if the row is empty. */
export function InlineRow({ children }: { readonly children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null;
  return (
    <Box paddingInline={{ xs: '400', sm: '0' }}>
      <InlineStack gap="300" blockAlign="center">
        {children}
      </InlineStack>
    </Box>
  );
}
