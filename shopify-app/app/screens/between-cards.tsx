import { Box, InlineStack } from '@shopify/polaris';
import { Children, type ReactNode } from 'react';

/** What stands between cards, with room beside it on a phone, where cards have none; nothing when there is nothing. */
export function BetweenCards({ children }: { readonly children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null;
  return (
    <Box paddingInline={{ xs: '400', sm: '0' }}>
      <InlineStack gap="300" blockAlign="center">
        {children}
      </InlineStack>
    </Box>
  );
}
